import { send, type Answer } from './http.js'
import { unlistedCode } from './listed-codes.js'
import type { TestTenant } from './tenants.js'

/** A request to the REST layer. */
export interface RestCall {
  /** The tenant whose key is sent, or a key; none where left out. */
  as?: TestTenant | string | undefined
  /** Sent as JSON; text is sent as it is. */
  body?: unknown
  headers?: Record<string, string | string[]>
}

/** Who calls the REST layer of one address. */
export interface Caller {
  rest: (method: string, path: string, call?: RestCall) => Promise<Answer>
}

/** Calls the REST layer at an address. */
export function callerOf({ url }: { url: string }): Caller {
  return { rest: (method, path, call) => callRest(url, method, path, call) }
}

/**
 * Sends a request as clients do: the key in `x-api-key`, the body as JSON.
 * @throws Error where the reply carries a code that its route does not list
 */
export async function callRest(
  url: string,
  method: string,
  path: string,
  { as, body, headers }: RestCall = {},
): Promise<Answer> {
  const key = typeof as === 'string' ? as : as?.key
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await send({
    method,
    url: `${url}${path}`,
    headers: {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: content,
  })
  const problem = unlistedCode(method, path, answer)
  if (problem !== undefined) throw new Error(problem)
  return answer
}
