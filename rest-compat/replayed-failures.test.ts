import { expect, it } from 'vitest'
import { prepareOperation } from '../gateway/operation.js'
import type { SubgraphResult } from '../kernel/subgraph.js'
import type { Caller } from '../kernel/tenant.js'
import { handleRoute, type RestDeps } from './handle.js'
import type { Route } from './route.js'
import { ROUTES } from './routes.js'

const route = ROUTES.find(({ operation }) => operation === 'verify-email-otp') as Route
const operation = {
  ...prepareOperation('mutation { payload: verifyEmailOtp { data errors { code message path details } } }'),
  name: 'verify-email-otp',
  variables: [],
  otherAnswers: [],
  otherInputs: [],
}
const caller: Caller = { tenantId: 'c000000000000000000tenant', keyId: 'key', products: ['kyc'] }

/** What the route does where the graph answers a key that it knows, and then says this. */
async function replayed(result: object): Promise<unknown> {
  const supergraph = {
    execute: (_operation: unknown, _variables: unknown, context: Parameters<RestDeps['supergraph']['execute']>[2]) => {
      context.idempotency?.onReplay()
      return Promise.resolve(result as SubgraphResult)
    },
  }
  const deps: RestDeps = {
    supergraph: supergraph as RestDeps['supergraph'],
    operations: new Map([[operation.name, operation]]),
    admission: { run: (_weighed, context, work) => work(context) },
    fingerprintKey: Buffer.alloc(32),
    subgraphs: {},
  }
  const request = { caller, requestId: 'request', idempotencyKeys: ['one'], params: {}, query: {}, body: {} }
  return handleRoute(deps, route, request)
}

const refusedWith = (code: string) => ({
  data: { payload: { data: null, errors: [{ code, message: code, path: null }] } },
})

it('a verdict that a key has kept is its first answer again', async () => {
  await expect(replayed(refusedWith('OTP_INVALID'))).rejects.toMatchObject({ isReplayed: true })
})

it.each([
  ['a system behind ours is away', refusedWith('PROVIDER_UNAVAILABLE')],
  [
    'it is a failure that nobody expected',
    { data: null, errors: [{ message: 'x', extensions: { code: 'SERVER_ERROR' } }] },
  ],
  [
    'a field is refused',
    { data: { payload: null }, errors: [{ message: 'x', extensions: { code: 'ANSWER_TOO_LARGE' } }] },
  ],
])('what fails while a kept answer is shown is none: %s', async (_why, result) => {
  await expect(replayed(result)).rejects.toMatchObject({ name: 'GraphFailure', isReplayed: false })
})
