import { describe, expect, it } from 'vitest'
import { errorsOf } from '../../rest-compat/route.js'
import { ROUTES } from '../../rest-compat/routes.js'
import { loadApiSchema } from '../harness/api-schema.js'
import { restOverGraph, startDeadSubgraphs } from '../harness/dead-subgraphs.js'
import type { RestCall } from '../harness/rest.js'
import { CARD_GOOD, cardCases } from './card-error-cases.js'
import { CASES, GOOD, NOBODY, harness, type Cases } from './error-cases.js'
import { paymentCases, paymentGood } from './payment-error-cases.js'
import { withRiskCases } from './risk-error-cases.js'
import { webhookCases, webhookGood } from './webhook-error-cases.js'

/** The product waits 30 seconds for a confirmation; all that is slow runs beside everything else. */
const SLOWEST_CASE_MS = 60_000

const goodOf = { ...GOOD, ...CARD_GOOD, ...paymentGood(harness), ...webhookGood(harness) }
const allCases = { ...CASES, ...cardCases(harness), ...paymentCases(harness), ...webhookCases(harness) }
const casesOf = withRiskCases(harness, allCases)
const overDead = await startDeadSubgraphs()
const brokenServer = serverThatFails()

const call = (method: string, path: string, options: RestCall = {}) =>
  harness.rest(method, path, { as: harness.tenant, ...options })
const rows = ROUTES.filter(({ subgraph }) => ['payments', 'orders', 'accounts'].includes(subgraph))

describe.each(rows.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  const crash = route.crash ?? 'server_error'
  const listed = errorsOf(route).filter((code) => code !== crash)

  it.each(listed)(
    'answers %s where it has to',
    async (code) => {
      const provoke = casesOf[name]?.[code] ?? commonCases(name, route)[code]
      if (!provoke) throw new Error(`${name} lists ${code}, and no case provokes it`)
      const answer = await provoke()
      expect(answer.body).toMatchObject({ success: false, status: code, statusCode: answer.status })
      expect(answer.body.data).toBeUndefined()
      expect(typeof answer.body.message).toBe('string')
      expect(answer.body.errors === undefined).toBe(code !== 'validation_error')
      // "`details` explains" what became of a relay.
      if (answer.status === 502 && /^(broadcast|confirm)_/.test(code)) expect(answer.body['details']).toMatch(/\S/)
    },
    SLOWEST_CASE_MS,
  )
})

/** A good query of the routes that take one. */
const QUERY: Readonly<Record<string, string>> = {
  'GET /quote/market': '?from=BRL&to=USDT',
  'GET /kyc/status': '?email=ana@example.com',
  'GET /yield/earnings': '?wallet=a&asset=USDC&provider=beta&chain_name=solana',
}
/** What every route of identity verification and of yield finds its own in. */
const ELSEWHERE_GOOD = {
  ...{ email: 'ana@example.com', code: '000000', wallet: 'a', message: 'm', signed_bytes: '0x00' },
  ...{ provider: 'beta', asset: 'USDC', amount: '1', chain_name: 'solana', op_signed: 'AAAA' },
}

describe('what nobody foresaw', () => {
  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'answers server_error or server_failed on %s, and tells nothing but the request id',
    async (name, route) => {
      const path = route.path.replace(/:\w+/g, NOBODY)
      const elsewhere = !rows.includes(route) && route.method !== 'GET' ? ELSEWHERE_GOOD : undefined
      const body = await (goodOf[name]?.body() ?? Promise.resolve(elsewhere))
      const url = `${path}${QUERY[name] ?? ''}`
      const reply = await brokenServer.inject({
        method: route.method,
        url,
        ...(body !== undefined && { payload: body as object }),
      })
      const status = /^\/(kyc|quote)\//.test(path) ? 'server_failed' : 'server_error'
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

/** Errors that every route has, and those of every body; the codes are as in the route's own words. */
function commonCases(name: string, route: (typeof ROUTES)[number]): Cases {
  const { method } = route
  const good = goodOf[name]
  const path = async () => (await good?.path()) ?? route.path.replace(/:\w+/g, NOBODY)
  const bad = route.badInput ?? 'validation_error'
  const headers = { 'idempotency-key': `${name} ${Math.random()}` }
  const once = async () => {
    const [url, body] = [await path(), await good?.body()]
    const first = await call(method, url, { body, headers })
    expect(first.body.success).toBe(true)
    return { url, body }
  }
  return {
    ...overDead(method, route.path.replace(/:\w+/g, NOBODY), () => good?.body()),
    unauthorized: async () => harness.rest(method, await path()),
    method_not_allowed: async () => call('PUT', await path()),
    permission_denied: async () => {
      const scopes = [route.subgraph === 'kyc' ? 'orders:read' : 'kyc:read'] as const
      const { key } = await harness.dashboard.newKey(harness.tenant, { expiresAt: null, scopes })
      return harness.rest(method, await path(), { as: key, body: await good?.body() })
    },
    customer_not_logged: async () =>
      harness.rest(method, await path(), { as: await harness.dashboard.platformKey(), body: await good?.body() }),
    ...(method !== 'GET' && {
      [bad]: async () => call(method, await path(), { body: '{' }),
      payload_too_large: async () => call(method, await path(), { body: JSON.stringify('x'.repeat(300_000)) }),
      unsupported_media_type: async () =>
        call(method, await path(), { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      idempotency_key_reused: async () => {
        const { url } = await once()
        return call(method, (await good?.otherPath?.()) ?? url, { body: await good?.other?.(), headers })
      },
      idempotency_in_progress: async () => {
        const { url, body } = await once()
        // As it is while the first request runs.
        await harness.sql(
          `update kernel.idempotency_key set answer = null, leased_until = now() + interval '1 minute' where key = $1`,
          [headers['idempotency-key']],
        )
        return call(method, url, { body, headers })
      },
    }),
  }
}

/** The REST layer over a graph that fails in a way that no code stands for. */
function serverThatFails() {
  const fail = () => Promise.reject(new Error('the disk is on fire'))
  const apiSchema = loadApiSchema()
  const supergraph = { apiSchema, execute: fail, executeByGateway: fail, stop: () => Promise.resolve() } as never
  return restOverGraph(supergraph, {})
}
