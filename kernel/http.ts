import { setTimeout as sleep } from 'node:timers/promises'
import { SpanKind } from '@opentelemetry/api'
import { readText } from './answer-body.js'
import { AppError } from './errors.js'
import { parseJson } from './json.js'
import type { Logger } from './log.js'
import { failureOfStatus, ProviderError, readProviderCode, type ProviderErrorKind } from './provider-error.js'
import { announceProvider, beginCall, failureOfKind, hostOf } from './provider-health/provider-calls.js'
import { traced } from './tracing.js'

/** Statuses after which the same request may succeed a moment later. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** Answers that belong to ordinary business, such as "no such market", and need no attention. */
const BUSINESS_ANSWERS: ReadonlySet<ProviderErrorKind> = new Set([
  'invalid_request',
  'not_found',
  'conflict',
  'declined',
])
const DEFAULT_RETRIES = 2
const BACKOFF_BASE_MS = 100
const BACKOFF_MAX_MS = 2_000
/** A provider may ask for minutes; a caller is waiting, so we wait this long at most and then try. */
const RETRY_AFTER_MAX_MS = 5_000
/** Far above any answer of these APIs; an endless one must not fill the memory. */
const RESPONSE_MAX_BYTES = 5 * 1024 * 1024

/** What a client of one provider is made of. `timeoutMs` covers a whole request, its retries and waits included. */
export interface HttpClientOptions {
  provider: string
  baseUrl: string
  headers?: Readonly<Record<string, string>>
  timeoutMs: number
  log: Logger
  fetch?: typeof fetch
  /** Waits before a retry; rejects once the signal aborts. */
  delay?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** One call. `path` is already percent-encoded; a `URLSearchParams` body is sent as a form, any other as JSON. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** A list gives its name once for each value. */
  query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** Whether repeating the request cannot do its work twice; only then it is retried. */
  idempotent: boolean
  retries?: number
  /** The answer is a text, not JSON; `body` is that text. */
  isText?: boolean
  /** The refusal that this request often gets in ordinary business, such as "no such market": the log keeps it to itself. */
  expects?: ProviderErrorKind
}

/** A 2xx answer; `body` is the parsed JSON, `undefined` where the provider sent none, or the text that was asked for. */
export interface HttpResponse {
  status: number
  headers: Headers
  body: unknown
}

/** The HTTP client of one provider. */
export interface HttpClient {
  /** Sends a request; throws a ProviderError on anything but a 2xx answer with JSON or without a body. */
  request(request: HttpRequest): Promise<HttpResponse>
}

/**
 * A client for a provider's JSON API over the built-in fetch. It follows no redirects, so credentials stay with the
 * address they were configured for, and logs neither query values, headers nor bodies.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const delay = options.delay ?? ((ms, signal) => sleep(ms, undefined, { signal }))
  const watched = { provider: options.provider, chain: '', host: hostOf(options.baseUrl) }
  announceProvider(watched)
  return {
    request: (request) =>
      traced(`${options.provider} ${request.method}`, aboutCall(options, request), async (span) => {
        const url = urlOf(options, request)
        const signal = AbortSignal.timeout(options.timeoutMs)
        const retries = request.idempotent ? (request.retries ?? DEFAULT_RETRIES) : 0
        const startedAt = performance.now()
        for (let attempt = 0; ; attempt += 1) {
          const end = beginCall(watched)
          const outcome = await tryOnce(options, request, url, signal)
          end('error' in outcome ? failureOfKind(outcome.error.kind) : undefined)
          const about = {
            provider: options.provider,
            method: request.method,
            path: request.path,
            attempt,
            durationMs: Math.round(performance.now() - startedAt),
          }
          if ('response' in outcome) {
            options.log.debug({ ...about, status: outcome.response.status }, 'provider answered')
            span.setAttributes({
              'http.response.status_code': outcome.response.status,
              'http.request.resend_count': attempt,
            })
            return outcome.response
          }
          const { error } = outcome
          const failure = { ...about, kind: error.kind, status: error.httpStatus, code: error.providerCode }
          options.log[levelOf(error.kind, request)](failure, 'provider call failed')
          if (!outcome.transient || attempt >= retries) throw error
          try {
            await delay(outcome.retryAfterMs ?? backoffMs(attempt), signal)
          } catch {
            // No time left to try again: what the provider said last tells more than "timeout".
            throw error
          }
        }
      }),
  }
}

/** What a trace tells of a call. Its path may hold a payer's data. */
function aboutCall({ provider }: HttpClientOptions, { method }: HttpRequest) {
  return { kind: SpanKind.CLIENT, attributes: { 'peer.service': provider, 'http.request.method': method } }
}

/**
 * The failure as callers may see it: a timeout of the provider as `provider_timeout`, every other of its failures as
 * `provider_unavailable`, anything else as `server_error`; an AppError stays. The cause is kept for the log.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof ProviderError)) return new AppError('server_error', { cause: error })
  return new AppError(error.kind === 'timeout' ? 'provider_timeout' : 'provider_unavailable', { cause: error })
}

/** For a `catch`: throws what `toAppError` makes of it. */
export function throwAsAppError(error: unknown): never {
  throw toAppError(error)
}

interface Failure {
  error: ProviderError
  /** Whether an idempotent request should be sent again. */
  transient: boolean
  retryAfterMs?: number | undefined
}

function levelOf(kind: ProviderErrorKind, { expects }: HttpRequest): 'debug' | 'info' | 'warn' {
  if (kind === expects) return 'debug'
  return BUSINESS_ANSWERS.has(kind) ? 'info' : 'warn'
}

/** Full jitter: callers that failed together do not come back together. */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** attempt)
}

function urlOf({ provider, baseUrl }: HttpClientOptions, { path, query = {} }: HttpRequest): URL {
  const base = new URL(baseUrl)
  const expectedPath = base.pathname.replace(/\/+$/, '') + path
  const url = new URL(expectedPath, base.origin)
  // A part of the path that was not encoded could name another resource ("..", "?") or another host ("//").
  if (!path.startsWith('/') || url.pathname !== expectedPath || url.origin !== base.origin) {
    throw new ProviderError({ provider, kind: 'invalid_request', retryable: false, message: 'the path is not encoded' })
  }
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) url.searchParams.append(name, String(one))
    }
  }
  return url
}

function encodeBody(body: unknown): { body?: string; type?: string } {
  if (body === undefined) return {}
  if (body instanceof URLSearchParams) return { body: body.toString(), type: 'application/x-www-form-urlencoded' }
  return { body: JSON.stringify(body), type: 'application/json' }
}

async function tryOnce(
  options: HttpClientOptions,
  request: HttpRequest,
  url: URL,
  signal: AbortSignal,
): Promise<{ response: HttpResponse } | Failure> {
  const { provider } = options
  const { body, type } = encodeBody(request.body)
  const headers = {
    accept: 'application/json',
    ...(type && { 'content-type': type }),
    ...options.headers,
    ...request.headers,
  }
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method: request.method,
      headers,
      signal,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    })
    const text = await readText(response, RESPONSE_MAX_BYTES)
    if (text === undefined) return refuse(provider, response, 'an answer that is too large')
    const json = parseJson(text)
    if (!response.ok) return failureOf(options, request, response, json)
    if (request.isText) return { response: { status: response.status, headers: response.headers, body: text } }
    if (json === undefined && text !== '') return refuse(provider, response, 'an answer that is not JSON')
    return { response: { status: response.status, headers: response.headers, body: json } }
  } catch (cause) {
    return connectionFailure(provider, request, signal, cause)
  }
}

function failureOf({ provider }: HttpClientOptions, request: HttpRequest, response: Response, body: unknown): Failure {
  const { status } = response
  const { kind, retryable } = failureOfStatus(status, request.idempotent)
  const message = `${provider} answered ${status} to ${request.method} ${request.path}`
  const error = new ProviderError({
    provider,
    kind,
    retryable,
    message,
    httpStatus: status,
    providerCode: readProviderCode(body),
    body,
  })
  return { error, transient: RETRIED_STATUSES.has(status), retryAfterMs: readRetryAfterMs(response.headers) }
}

function refuse(provider: string, { status }: Response, what: string): Failure {
  const error = new ProviderError({
    provider,
    kind: 'protocol',
    retryable: false,
    httpStatus: status,
    message: `${provider} sent ${what}`,
  })
  return { error, transient: false }
}

function connectionFailure(provider: string, request: HttpRequest, signal: AbortSignal, cause: unknown): Failure {
  const timedOut = signal.aborted
  // fetch hides the socket's error code in the cause; only a refused connection proves that nothing was sent.
  const code =
    cause instanceof Error && cause.cause instanceof Error && 'code' in cause.cause ? cause.cause.code : undefined
  const message = timedOut ? `${provider} did not answer in time` : `${provider} could not be reached`
  const retryable = request.idempotent || code === 'ECONNREFUSED'
  const error = new ProviderError({ provider, kind: timedOut ? 'timeout' : 'unavailable', retryable, message, cause })
  return { error, transient: !timedOut }
}

/** RFC 9110 10.2.3: seconds or a date, here as milliseconds from now, capped. */
function readRetryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS)
}
