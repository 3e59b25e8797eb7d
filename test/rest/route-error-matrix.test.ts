import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../rest-compat/routes.js'
import { loadApiSchema } from '../harness/api-schema.js'
import { restOverGraph, startDeadSubgraphs } from '../harness/dead-subgraphs.js'
import { commonCases, itAnswersItsErrors, pathToNobody } from '../harness/route-errors.js'
import { CARD_GOOD, cardCases } from './card-error-cases.js'
import { CASES, GOOD, harness } from './error-cases.js'
import { paymentCases, paymentGood } from './payment-error-cases.js'
import { withRiskCases } from './risk-error-cases.js'
import { webhookCases, webhookGood } from './webhook-error-cases.js'

const goodOf = { ...GOOD, ...CARD_GOOD, ...paymentGood(harness), ...webhookGood(harness) }
const allCases = { ...CASES, ...cardCases(harness), ...paymentCases(harness), ...webhookCases(harness) }
const casesOf = withRiskCases(harness, allCases)
const overDead = await startDeadSubgraphs()
const brokenServer = serverThatFails()

const rows = ROUTES.filter(({ subgraph }) => ['payments', 'orders', 'accounts'].includes(subgraph))

describe.each(rows.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  itAnswersItsErrors(name, route, { ...commonCases(harness, route, overDead, goodOf[name]), ...casesOf[name] })
})

/** What every route of identity verification and of yield finds its own in. */
const ELSEWHERE_GOOD = {
  ...{ email: 'ana@example.com', code: '000000', wallet: 'a', message: 'm', signed_bytes: '0x00' },
  ...{ provider: 'beta', asset: 'USDC', amount: '1', chain_name: 'solana', op_signed: 'AAAA' },
}

describe('what nobody foresaw', () => {
  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'answers server_error or server_failed on %s, and tells nothing but the request id',
    async (name, route) => {
      const url = pathToNobody(route)
      const elsewhere = !rows.includes(route) && route.method !== 'GET' ? ELSEWHERE_GOOD : undefined
      const body = await (goodOf[name]?.body() ?? Promise.resolve(elsewhere))
      const reply = await brokenServer.inject({
        method: route.method,
        url,
        ...(body !== undefined && { payload: body as object }),
      })
      const status = /^\/(kyc|quote)\//.test(url) ? 'server_failed' : 'server_error'
      expect(reply.json()).toEqual({
        statusCode: 500,
        success: false,
        status,
        message: expect.stringMatching(/ Request id: request-1\.$/),
      })
      expect(reply.headers['x-request-id']).toBe('request-1')
      expect(reply.payload).not.toContain('the disk is on fire')
    },
  )
})

/** The REST layer over a graph that fails in a way that no code stands for. */
function serverThatFails() {
  const fail = () => Promise.reject(new Error('the disk is on fire'))
  const apiSchema = loadApiSchema()
  const supergraph = { apiSchema, execute: fail, executeByGateway: fail, stop: () => Promise.resolve() } as never
  return restOverGraph(supergraph, {})
}
