import { SpanKind } from '@opentelemetry/api'
import { traced } from '../../kernel/tracing.js'
import { post, PostError, type PostAnswer } from './post.js'

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
 * A call that got no usable answer. It carries no text of the node's or of the connection's, which may name the RPC's URL, and
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
  /** Whether it takes batches, and none of so many calls. */
  readonly isTooMany: boolean

  constructor(
    kind: 'timeout' | 'unavailable',
    isRefusal: boolean,
    reason: string,
    about: { answered?: boolean; retryAfterMs?: number | undefined; status?: number; isTooMany?: boolean } = {},
  ) {
    super(reason)
    this.kind = kind
    this.isRefusal = isRefusal
    this.answered = about.answered ?? false
    this.retryAfterMs = about.retryAfterMs
    this.status = about.status
    this.isTooMany = about.isTooMany ?? false
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

/** A refusal is short. */
const REFUSAL_LENGTH_MAX = 1_000

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
  const answer = await traced('chain POST', { kind: SpanKind.CLIENT, attributes }, () => answered(url, body, timeoutMs))
  const { status } = answer
  const answers = parse(answer.text)
  if (calls.length > 1 && answers.length <= 1 && isTooMany(answer)) {
    const about = { answered: true, status, isTooMany: true }
    throw new TransportError('unavailable', true, `a batch of ${calls.length} calls is refused`, about)
  }
  const isError =
    answers.length > 0 && answers.every(({ error }) => typeof (error as RpcError | null)?.code === 'number')
  if ((status < 200 || status > 299) && !(isError && status !== 429)) throw turnedAway(answer)
  if (answers.length === 0) throw unusable('the answer is not JSON')
  // Of a single call the exchange itself says whose answer it is; a node that could not read it leaves the id out.
  return isBatch ? inOrder(calls, answers) : answers.slice(0, 1).map(answerOf)
}

/**
 * Whether one answer to a batch says that it has too many calls. geth and Erigon answer the first call so ("batch too large", "batch
 * limit 100 exceeded"), jsonrpsee, Nethermind and Besu none ("The batch request was too large", "Batch size limit exceeded", "exceeds max
 * batch size"), by codes that mean other things elsewhere; proxies answer with a status.
 */
function isTooMany({ status, text }: PostAnswer): boolean {
  return status === 413 || (status !== 429 && /\bbatch/i.test(text.slice(0, REFUSAL_LENGTH_MAX)))
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

async function answered(url: string, body: string, timeoutMs: number): Promise<PostAnswer> {
  try {
    return await post(url, body, { timeoutMs, maxBytes: ANSWER_BYTES_MAX })
  } catch (error) {
    // Whatever else it is, e.g. of an address that is none: its text may name the address.
    throw error instanceof PostError ? transportError(error) : new TransportError('unavailable', false, 'no connection')
  }
}

function unusable(reason: string): TransportError {
  return new TransportError('unavailable', false, reason, { answered: true })
}

/** Rate limited or not allowed: such an answer comes before any work is done. Others may come after it. */
function turnedAway({ status, retryAfter }: PostAnswer): TransportError {
  const isRefusal = (status >= 400 && status < 500) || status === 503
  const seconds = Number(retryAfter ?? Number.NaN)
  const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
  return new TransportError('unavailable', isRefusal, `HTTP ${status}`, { answered: true, retryAfterMs, status })
}

/** Errors of a connection that never stood. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

function transportError({ kind, code = '' }: PostError): TransportError {
  if (kind === 'timeout') return new TransportError('timeout', false, 'no answer in time')
  if (kind === 'too_long') return unusable('the answer is too long')
  return new TransportError('unavailable', NEVER_CONNECTED.has(code), 'no connection')
}
