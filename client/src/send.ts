import { CallError, ConnectionError } from './api-error.js'
import type { Answer, CallOptions, Send } from './call.js'
import { errorOf, isObject } from './failure.js'
import { mayBeDone } from './outcome.js'
import { waitBeforeRetry } from './retry.js'

/** What requests are sent with: everything that is not the same each time is given. */
export interface Transport {
  baseUrl: string
  apiKey: string | undefined
  fetch: (url: string, init: RequestInit) => Promise<Response>
  timeoutMs: number
  maxRetries: number
  /** From 0 to 1. */
  random: () => number
  newId: () => string
  /** Resolves after a time in milliseconds; rejects where the signal ends it. */
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** A request that may be sent several times. */
export interface Prepared {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Sends requests of operations; an answer that is no success is thrown. */
export function sender(transport: Transport): Send {
  return async <Status extends string, Data>(
    method: string,
    path: string,
    params: object,
    options: CallOptions = {},
  ) => {
    const request = prepare(method, path, params, options.idempotencyKey ?? transport.newId())
    const { response, body } = await sendPatiently(transport, request, options)
    if (!isObject(body) || !('data' in body)) throw withKey(errorOf(response, body), request, true)
    return answerOf<Status, Data>(response, body)
  }
}

/** Puts the parameters where they belong: into the path, then into the query of a GET or the body of anything else. */
function prepare(method: string, path: string, params: object, idempotencyKey: string): Prepared {
  const left = new Map<string, unknown>(Object.entries(params))
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = left.get(name)
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is required`)
    left.delete(name)
    return encodeURIComponent(value)
  })
  if (method === 'GET') return { method, path: filled + queryOf(left), headers: {} }
  const headers = { 'idempotency-key': idempotencyKey }
  if (left.size === 0) return { method, path: filled, headers }
  const body = JSON.stringify(Object.fromEntries(left))
  return { method, path: filled, headers: { ...headers, 'content-type': 'application/json' }, body }
}

function queryOf(params: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of params) if (value !== undefined && value !== null) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** Sends a request until an answer counts. @throws ApiError, ConnectionError, or the reason of the caller's signal */
export async function sendPatiently(
  transport: Transport,
  request: Prepared,
  options: CallOptions,
): Promise<{ response: Response; body: unknown }> {
  const retries = options.maxRetries ?? transport.maxRetries
  let mayHaveHappened = false
  for (let retry = 0; ; retry += 1) {
    try {
      return await sendOnce(transport, request, options)
    } catch (error) {
      options.signal?.throwIfAborted()
      // A later try that is refused, as by a limit, does not say what became of an earlier one.
      mayHaveHappened ||= mayBeDone(error)
      const isRead = request.method === 'GET'
      const waitMs = retry < retries ? waitBeforeRetry(error, isRead, retry, transport.random) : undefined
      if (waitMs === undefined) throw withKey(error, request, mayHaveHappened)
      await transport.sleep(waitMs, options.signal)
    }
  }
}

/** An error with what its caller needs to repeat a writing call. */
function withKey(error: unknown, { method, headers }: Prepared, mayHaveHappened: boolean): unknown {
  if (method !== 'GET' && error instanceof CallError) {
    error.idempotencyKey = headers['idempotency-key']
    error.mayHaveHappened = mayHaveHappened
  }
  return error
}

async function sendOnce(
  transport: Transport,
  request: Prepared,
  options: CallOptions,
): Promise<{ response: Response; body: unknown }> {
  const limit = AbortSignal.timeout(options.timeoutMs ?? transport.timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  const { response, text } = await open(transport, request, signal)
  const body = parse(text)
  if (!response.ok) throw errorOf(response, body)
  return { response, body }
}

async function open(
  transport: Transport,
  { method, path, headers, body }: Prepared,
  signal: AbortSignal,
): Promise<{ response: Response; text: string }> {
  const { baseUrl, apiKey } = transport
  const key = apiKey === undefined ? {} : { 'x-api-key': apiKey }
  const init: RequestInit = { method, headers: { ...key, ...headers }, signal, redirect: 'manual' }
  try {
    const response = await transport.fetch(baseUrl + path, body === undefined ? init : { ...init, body })
    refuseRedirect(response)
    return { response, text: await response.text() }
  } catch (cause) {
    throw new ConnectionError(`${method} ${baseUrl}${path} got no answer`, { cause })
  }
}

/**
 * A redirect would carry the key to another host. It is refused here and not by `redirect: 'error'`, which workers do not have.
 * A browser shows it as an opaque answer.
 */
export function refuseRedirect({ status, type }: Response): void {
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400)
  if (isRedirect) throw new TypeError(`the service answered with a redirect (${status})`)
}

function answerOf<Status extends string, Data>(
  response: Response,
  body: Record<string, unknown>,
): Answer<Status, Data> {
  return {
    status: body['status'] as Status,
    message: String(body['message']),
    data: body['data'] as Data,
    requestId: response.headers.get('x-request-id') ?? undefined,
    isReplayed: response.headers.get('idempotent-replayed') === 'true',
  }
}

/** A body as JSON; undefined where it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
