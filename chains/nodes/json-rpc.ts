import { SpanKind } from '@opentelemetry/api'
import { traced } from '../../kernel/tracing.js'

/** One JSON-RPC call. */
export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/** An error that a node answers. */
export interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** A node's answer to one call; `error` where it refused this one. */
export type RpcAnswer = { result: unknown } | { error: RpcError }

/**
 * A call that got no usable answer. It carries no text of the node's or of fetch's, which may name the RPC's URL, and
 * that may hold an API key.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly kind: 'timeout' | 'unavailable'
  /** Whether the call cannot have been carried out: it never left, or it was turned away. */
  readonly isRefusal: boolean
  /** Whether something answered, though not what was asked. */
  readonly answered: boolean
  /** How long the node wants to be left alone, in milliseconds; undefined where it did not say. */
  readonly retryAfterMs: number | undefined
  /** The HTTP status by which it was turned away. */
  readonly status: number | undefined

  constructor(
    kind: 'timeout' | 'unavailable',
    isRefusal: boolean,
    reason: string,
    about: { answered?: boolean; retryAfterMs?: number | undefined; status?: number } = {},
  ) {
    super(reason)
    this.kind = kind
    this.isRefusal = isRefusal
    this.answered = about.answered ?? false
    this.retryAfterMs = about.retryAfterMs
    this.status = about.status
  }
}

/** The transport's error behind another one, as libraries wrap it; undefined where there is none. */
export function transportErrorIn(error: unknown): TransportError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TransportError) return cause
  }
  return undefined
}

/** Longer answers are not read: a block's receipts are some hundred kilobytes, a block of batches 1.3 MB. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024

/**
 * Sends calls to a node in one HTTP request and gives its answers in their order. Answers are taken by their ids, whatever
 * order they come in: one that is missing, doubled or nobody's makes the whole exchange unusable.
 * @param options.isBatch whether the request is a batch, also of one call; otherwise it is a single call
 * @param options.timeoutMs how long the answer may take, its body included
 * @throws TransportError
 */
export async function exchange(
  url: string,
  calls: readonly RpcCall[],
  { isBatch, timeoutMs }: { isBatch: boolean; timeoutMs: number },
): Promise<RpcAnswer[]> {
  const bodies = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const body = JSON.stringify(isBatch ? bodies : bodies[0])
  // The node's address is no attribute: keys of providers are part of it.
  const attributes = { 'rpc.system': 'jsonrpc', 'rpc.method': calls[0]?.method ?? '', 'rpc.calls': calls.length }
  const { response, text } = await traced('chain POST', { kind: SpanKind.CLIENT, attributes }, () =>
    post(url, body, timeoutMs),
  )
  const answers = parse(text)
  const isError =
    answers.length > 0 && answers.every(({ error }) => typeof (error as RpcError | null)?.code === 'number')
  if (!response.ok && !(isError && response.status !== 429)) throw turnedAway(response)
  if (answers.length === 0) throw unusable('the answer is not JSON')
  // Of a single call the exchange itself says whose answer it is; a node that could not read it leaves the id out.
  return isBatch ? inOrder(calls, answers) : answers.slice(0, 1).map(answerOf)
}

function inOrder(calls: readonly RpcCall[], answers: readonly Readonly<Record<string, unknown>>[]): RpcAnswer[] {
  const byId = new Map<unknown, RpcAnswer>()
  for (const answer of answers) {
    if (typeof answer['id'] !== 'number' || byId.has(answer['id'])) throw unusable('an answer that belongs to no call')
    byId.set(answer['id'], answerOf(answer))
  }
  return calls.map((_, id) => {
    const answer = byId.get(id)
    if (!answer) throw unusable('a call without an answer')
    return answer
  })
}

function answerOf({ result, error }: Readonly<Record<string, unknown>>): RpcAnswer {
  return error ? { error: error as RpcError } : { result }
}

/** The answers in a text; none where it is no JSON. */
function parse(text: string): Readonly<Record<string, unknown>>[] {
  try {
    const read: unknown = JSON.parse(text)
    return [read].flat().filter((one) => typeof one === 'object' && one !== null) as Record<string, unknown>[]
  } catch {
    return []
  }
}

/** A URL's user and password go as basic authentication: fetch takes no URL that has them. */
function endpointOf(url: string): { address: string; headers: Record<string, string> } {
  const address = new URL(url)
  const { username, password } = address
  if (username === '' && password === '') return { address: url, headers: {} }
  Object.assign(address, { username: '', password: '' })
  const token = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return { address: address.href, headers: { authorization: `Basic ${token}` } }
}

async function post(url: string, body: string, timeoutMs: number): Promise<{ response: Response; text: string }> {
  try {
    const { address, headers } = endpointOf(url)
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { response, text: await readText(response) }
  } catch (error) {
    throw error instanceof TransportError ? error : transportError(error)
  }
}

/** The body as far as it may be long; what its headers call short enough is read at once. */
async function readText(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const isShort = length <= ANSWER_BYTES_MAX && !response.headers.has('content-encoding')
  if (!response.body || isShort) return response.text()
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  for (let size = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks).toString()
    size += value.length
    if (size > ANSWER_BYTES_MAX) {
      await reader.cancel()
      throw unusable('the answer is too long')
    }
    chunks.push(value)
  }
}

function unusable(reason: string): TransportError {
  return new TransportError('unavailable', false, reason, { answered: true })
}

/** Rate limited or not allowed: such an answer comes before any work is done. Others may come after it. */
function turnedAway({ status, headers }: Response): TransportError {
  const isRefusal = (status >= 400 && status < 500) || status === 503
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
  return new TransportError('unavailable', isRefusal, `HTTP ${status}`, { answered: true, retryAfterMs, status })
}

/** Errors of a connection that never stood. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

function transportError(error: unknown): TransportError {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new TransportError('timeout', false, 'no answer in time')
  }
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: unknown }
  return new TransportError('unavailable', typeof code === 'string' && NEVER_CONNECTED.has(code), 'no connection')
}
