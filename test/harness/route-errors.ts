import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { ErrorCode } from '../../kernel/errors.js'
import { errorsOf, type Route } from '../../rest-compat/route.js'
import type { startDeadSubgraphs } from './dead-subgraphs.js'
import type { Harness } from './harness.js'
import type { Answer } from './http.js'
import type { RestCall } from './rest.js'

/** An id that nothing has. */
export const NOBODY = 'c000000000000000000000000'

/** Errors of one route: how each is provoked. */
export type Cases = Partial<Record<ErrorCode, () => Promise<Answer>>>

/**
 * A route's good requests, for what all routes have in common: `path` and `body` make one, `otherPath` and `other` another; what is left
 * out of the other is made as for the first.
 */
export interface Good {
  path: () => Promise<string> | string
  body: () => Promise<unknown>
  otherPath?: () => Promise<string>
  other?: () => Promise<unknown>
}

/** The product waits 30 seconds for a confirmation; all that is slow runs beside everything else. */
const SLOWEST_CASE_MS = 60_000

/** Shows that a route answers every code that its row lists but that of a crash, as errors are answered. */
export function itAnswersItsErrors(name: string, route: Route, cases: Cases): void {
  const crash = route.crash ?? 'server_error'
  it.each(errorsOf(route).filter((code) => code !== crash))(
    'answers %s where it has to',
    async (code) => {
      const provoke = cases[code]
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
}

/** A good query of the paths that take one. */
const QUERIES: Readonly<Record<string, string>> = {
  '/quote/market': '?from=BRL&to=USDT',
  '/kyc/status': '?email=ana@example.com',
  '/yield/earnings': '?wallet=a&asset=USDC&provider=beta&chain_name=solana',
}

/** The path and query of a route about something that nobody has; of a token it is one that there is. */
export function pathToNobody({ path }: Route): string {
  return path.replace(':symbol', 'USDC').replace(/:\w+/g, NOBODY) + (QUERIES[path] ?? '')
}

/** Errors that every route has, and those of every body; the codes are as in the route's own words. */
export function commonCases(
  harness: Harness,
  route: Route,
  overDead: Awaited<ReturnType<typeof startDeadSubgraphs>>,
  good: Good = { path: () => pathToNobody(route), body: () => Promise.resolve(undefined) },
): Cases {
  const { method, badInput = 'validation_error' } = route
  const call = async (options: RestCall) => harness.rest(method, await good.path(), { as: harness.tenant, ...options })
  const callAs = async (as: string) => call({ as, body: await good.body() })
  return {
    ...overDead(method, pathToNobody(route), good.body),
    unauthorized: async () => harness.rest(method, await good.path()),
    method_not_allowed: async () => harness.rest('PUT', await good.path(), { as: harness.tenant }),
    permission_denied: async () => {
      const scopes = [route.subgraph === 'kyc' ? 'orders:read' : 'kyc:read'] as const
      return callAs((await harness.dashboard.newKey(harness.tenant, { expiresAt: null, scopes })).key)
    },
    customer_not_logged: async () => callAs(await harness.dashboard.platformKey()),
    ...(method !== 'GET' && {
      [badInput]: () => call({ body: '{' }),
      payload_too_large: () => call({ body: JSON.stringify('x'.repeat(300_000)) }),
      unsupported_media_type: () =>
        call({ body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      ...keyedCases(harness, method, good),
    }),
  }
}

/** Errors of an `Idempotency-Key`. */
function keyedCases(harness: Harness, method: string, good: Good): Cases {
  const once = async () => {
    const key = randomUUID()
    const send = (path: string, body: unknown) =>
      harness.rest(method, path, { as: harness.tenant, body, headers: { 'idempotency-key': key } })
    const [path, body] = [await good.path(), await good.body()]
    await send(path, body)
    return { key, send, path, body }
  }
  return {
    idempotency_key_reused: async () => {
      const { send, path } = await once()
      return send((await good.otherPath?.()) ?? path, await (good.other ?? good.body)())
    },
    idempotency_in_progress: async () => {
      const { key, send, path, body } = await once()
      // As it is while the first request runs.
      await harness.sql(
        `update kernel.idempotency_key set answer = null, leased_until = now() + interval '1 day' where key = $1`,
        [key],
      )
      return send(path, body)
    },
  }
}
