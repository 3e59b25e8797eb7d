import type { FastifyReply } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuthenticatedRequest } from '../../gateway/authentication/hook.js'
import { createHttpServer } from '../../gateway/http.js'
import { createLog } from '../../kernel/log.js'
import { PRODUCTS } from '../../kernel/tenant.js'
import { loadOperations } from '../../rest-compat/operation.js'
import { errorsOf } from '../../rest-compat/route.js'
import { ROUTES } from '../../rest-compat/routes.js'
import { failed, mountRest, notFound } from '../../rest-compat/server.js'
import { loadApiSchema } from '../support/api-schema.js'
import { overDeadSubgraphs } from '../support/dead-subgraphs.js'
import { startWorld, type RestCall, type World } from '../support/world.js'
import { CARD_GOOD, cardCases } from './card-error-cases.js'
import { CASES, finishErrorCases, GOOD, NOBODY, prepareErrorCases, type Cases } from './error-cases.js'

/** The product waits 30 seconds for a confirmation; all that is slow runs beside everything else. */
const SLOWEST_CASE_MS = 60_000

let world: World
beforeAll(async () => {
  // Without the second price source: what the first one does has to reach the caller.
  world = await startWorld({ MODE: 'sandbox', ORACLE_BASE_URL: 'http://127.0.0.1:9' })
  await prepareErrorCases(world)
})
afterAll(async () => {
  await finishErrorCases()
  await world[Symbol.asyncDispose]()
}, SLOWEST_CASE_MS)

const call = (method: string, path: string, options: RestCall = {}) =>
  world.rest(method, path, { as: world.tenant, ...options })
const rows = ROUTES.filter(({ subgraph }) => ['payments', 'orders', 'accounts'].includes(subgraph))

describe.each(rows.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  const crash = route.crash ?? 'server_error'
  const listed = errorsOf(route).filter((code) => code !== crash)

  it.each(listed)(
    'answers %s where it has to',
    async (code) => {
      const provoke = (CASES[name] ?? cardCases(world)[name])?.[code] ?? commonCases(name, route)[code]
      if (!provoke) throw new Error(`${name} lists ${code}, and no case provokes it`)
      const answer = await provoke()
      expect(answer.body).toMatchObject({ success: false, status: code, statusCode: answer.status })
      expect(answer.body.data).toBeUndefined()
      expect(typeof answer.body.message).toBe('string')
      expect(answer.body.errors === undefined).toBe(code !== 'validation_error')
    },
    SLOWEST_CASE_MS,
  )
})

describe('what nobody foresaw', () => {
  it.each(rows.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'answers server_error or server_failed on %s, and tells nothing but the request id',
    async (name, route) => {
      const app = brokenServer()
      const path = route.path.replace(/:\w+/g, NOBODY)
      const body = await ((GOOD[name] ?? CARD_GOOD[name])?.body() ?? Promise.resolve(undefined))
      const url = name === 'GET /quote/market' ? `${path}?from=BRL&to=USDT` : path
      const reply = await app.inject({
        method: route.method,
        url,
        ...(body !== undefined && { payload: body as object }),
      })
      const status = route.crash ?? 'server_error'
      expect(reply.json()).toEqual({
        statusCode: 500,
        success: false,
        status,
        message: expect.stringMatching(/ Request id: request-1\.$/),
      })
      expect(reply.headers['x-request-id']).toBe('request-1')
      expect(reply.payload).not.toContain('the disk is on fire')
      await app.close()
    },
  )
})

/** Errors that every route has, and those of every body; the codes are as in the route's own words. */
function commonCases(name: string, route: (typeof ROUTES)[number]): Cases {
  const { method } = route
  const good = GOOD[name] ?? CARD_GOOD[name]
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
    ...overDeadSubgraphs(method, route.path.replace(/:\w+/g, NOBODY), () => good?.body()),
    unauthorized: async () => world.rest(method, await path()),
    method_not_allowed: async () => call('DELETE', await path()),
    customer_not_logged: async () =>
      world.rest(method, await path(), { as: await world.dashboard.platformKey(), body: await good?.body() }),
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
        await world.sql(
          `update kernel.idempotency_key set answer = null, leased_until = now() + interval '1 minute' where key = $1`,
          [headers['idempotency-key']],
        )
        return call(method, url, { body, headers })
      },
    }),
  }
}

/** The REST layer over a graph that fails in a way that no code stands for. */
function brokenServer() {
  const app = createHttpServer({ isReady: () => Promise.resolve(true) }, () => 'request-1', {
    notFound: notFound(() => false),
    failed: failed(createLog('silent')),
  })
  const fail = () => Promise.reject(new Error('the disk is on fire'))
  const apiSchema = loadApiSchema()
  mountRest(app, {
    supergraph: { apiSchema, execute: fail, executeByGateway: fail, stop: () => Promise.resolve() } as never,
    operations: loadOperations(apiSchema),
    admission: { run: (_operation, context, work) => work(context) },
    fingerprintKey: Buffer.alloc(32),
    subgraphs: {},
    authenticate: (request: AuthenticatedRequest, _reply: FastifyReply) => {
      request.caller = { tenantId: 'tenant', keyId: 'key', products: PRODUCTS }
      return Promise.resolve(false)
    },
    log: createLog('silent'),
  })
  return app
}
