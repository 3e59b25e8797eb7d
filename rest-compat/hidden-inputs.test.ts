import { afterAll, describe, expect, it } from 'vitest'
import { prepareOperation, type PreparedOperation } from '../gateway/operation.js'
import { loadSupergraph } from '../gateway/supergraph.js'
import { createLog } from '../kernel/log.js'
import type { RequestContext, SubgraphExecutor } from '../kernel/subgraph.js'
import { handleRoute, type RestDeps } from './handle.js'
import { loadOperations, wholeSchema } from './operation.js'
import { ROUTES } from './routes.js'

const caller: RequestContext['caller'] = { tenantId: 'tenant', keyId: 'key', products: ['credit_card'] }

/** What reached the subgraph of payments; it answers anything with the same. */
const asked: unknown[] = []
const payments: SubgraphExecutor = ({ variables }) => {
  asked.push(variables)
  return Promise.resolve({ data: { payload: { data: { id: 'made', type: 'CardToken' }, errors: [] }, failures: [] } })
}
const unasked: SubgraphExecutor = () => Promise.reject(new Error('nothing is asked here'))
const subgraphs = { accounts: unasked, kyc: unasked, orders: unasked, payments, yield: unasked }

const supergraph = loadSupergraph(subgraphs, createLog('silent'))
afterAll(() => supergraph.stop())
const operations = loadOperations(wholeSchema(supergraph.sdl))
const admission: RestDeps['admission'] = { run: (_weighed, context, ask) => ask(context) }
const deps: RestDeps = { supergraph, operations, admission, subgraphs, fingerprintKey: Buffer.alloc(32) }

/** What a body of a route is answered, or refused for. */
async function post(path: string, body: unknown): Promise<unknown> {
  const route = ROUTES.find((one) => one.method === 'POST' && one.path === path)
  if (!route) throw new Error(`no route is at ${path}`)
  asked.length = 0
  const request = { caller, requestId: 'request', idempotencyKeys: [], params: {}, query: {}, body }
  try {
    return (await handleRoute(deps, route, request)).envelope.data
  } catch (error) {
    return (error as { errors?: unknown }).errors
  }
}

const REGISTER = '/payment/register/intents-create-order'
const TOKENIZE = '/payment/card/tokenize'
const CARD = { number: '4', holder_name: 'A', holder_document: '1', cvv: '1', exp_month: 1, exp_year: 2030 }

describe('an input that the contract has and the graph hides from clients', () => {
  it('is read beside an order, and checked by the subgraph', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key${index}`, index]))
    await post(REGISTER, { order_code: 'o', gateway_method: 'subs', amount_from: '1', on_ramp: false, metadata })
    expect(asked).toEqual([
      { input: { orderCode: 'o', gatewayMethod: 'SUBS', amountFrom: '1', onRamp: false, metadata } },
    ])
  })

  it('is refused where its form is bad', async () => {
    expect(await post(REGISTER, { order_code: 'o', gateway_method: 'bad', on_ramp: 'no' })).toEqual([
      { field: 'gateway_method', message: 'must be one of direct, subs' },
      { field: 'on_ramp', message: 'must be true or false' },
    ])
  })

  it('is required where the contract requires it', async () => {
    expect(await post(TOKENIZE, { card: CARD })).toEqual([{ field: 'type', message: 'is required' }])
    expect(await post(TOKENIZE, { type: 'bank', card: CARD })).toEqual([
      { field: 'type', message: 'must be one of card' },
    ])
    expect(await post(TOKENIZE, { type: 'card', card: CARD })).toEqual({ id: 'made', type: 'card' })
  })

  it('is not known to a client, not even by the text of our own document', async () => {
    const own = operations.get('register-checkout-payment')
    if (!own) throw new Error('there is no such document')
    const ask = async (operation: PreparedOperation) => {
      asked.length = 0
      const variables = { input: { orderCode: 'o', amountFrom: '1' } }
      return supergraph.execute(operation, variables, { caller, requestId: 'request' })
    }
    expect((await ask(own)).errors).toBeUndefined()
    const { data, errors } = await ask(prepareOperation(own.source))
    expect(data).toBeUndefined()
    expect(errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT' })
    expect(asked).toEqual([])
  })
})
