import { ApiError, ConnectionError } from './api-error.js'
import { errorOf } from './failure.js'
import { parse, refuseRedirect, type Transport } from './send.js'
import { readEvents, type StreamEvent, type StreamState } from './sse.js'

/** How long to wait before a stream is opened again, where the service has not said so; never less, nor more, than it may say. */
const [REOPEN_MS, SOONEST_MS, LATEST_MS] = [2_000, 500, 60_000]
/** What the growth of the wait ends at. */
const LONGEST_MS = 30_000
/** A release of the service takes minutes. */
const REOPEN_FOR_MS = 600_000
/** Answers that are no failure of the service and pass all the same. */
const PASSING = new Set([408, 425, 429])

/** One event of a payment. */
export interface PaymentEvent {
  /** Grows with each event of the payment. */
  sequence: string
  type: string
  /** As the service sent it. */
  data: unknown
}

/** What a stream may be opened with. */
export interface EventsOptions {
  /** Ends it. */
  signal?: AbortSignal
  /** The sequence after which it begins; from now on where left out. */
  after?: string
  /** For how long it waits in all for a service that is away, in milliseconds: ten minutes where left out, `Infinity` for ever. */
  reopenForMs?: number
}

/**
 * The events of a payment from `GET /payment/{id}/events`. It goes on until its reader leaves, or its signal ends it: a stream
 * that ends or breaks is opened again, however often, and a service that is away is waited for. `maxRetries` is of calls alone.
 * @throws ApiError where the stream is refused; ConnectionError where the service is away for too long
 */
export async function* paymentEvents(
  transport: Transport,
  id: string,
  { signal, after = '', reopenForMs = REOPEN_FOR_MS }: EventsOptions,
): AsyncGenerator<PaymentEvent, void, void> {
  const state: StreamState = { lastId: after }
  let [failures, waitedMs] = [0, 0]
  for (;;) {
    let broken: ApiError | ConnectionError = new ConnectionError('the stream of events ended')
    let isOpen = false
    try {
      const stream = await openStream(transport, id, state.lastId, signal)
      isOpen = true
      ;[failures, waitedMs] = [0, 0]
      for await (const event of readEvents(stream, state)) yield shown(event)
    } catch (error) {
      if (signal?.aborted === true) return
      broken = error instanceof ApiError ? error : new ConnectionError('the stream of events broke', { cause: error })
      if (!isPassing(broken)) throw broken
    }
    const waitMs = waitBeforeReopen(broken, state.retryMs ?? REOPEN_MS, failures, transport.random)
    if (!isOpen) failures += 1
    waitedMs += waitMs
    if (waitedMs > reopenForMs) throw broken
    const isEnded = await transport.sleep(waitMs, signal).then(
      () => false,
      () => true,
    )
    if (isEnded) return
  }
}

/** Whether a stream may be opened later: not where its key or its payment is refused. */
function isPassing(error: ApiError | ConnectionError): boolean {
  if (error instanceof ConnectionError) return true
  return error.httpStatus < 400 || error.httpStatus >= 500 || PASSING.has(error.httpStatus)
}

/** As the service asks; doubled with each failure. The jitter is on top, so that streams of one release do not come together. */
function waitBeforeReopen(
  error: ApiError | ConnectionError,
  retryMs: number,
  failures: number,
  random: () => number,
): number {
  const firstMs = Math.min(LATEST_MS, Math.max(SOONEST_MS, retryMs))
  const grownMs = Math.max(firstMs, Math.min(LONGEST_MS, firstMs * 2 ** failures))
  const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(askedMs, grownMs * (1 + random() / 2))
}

async function openStream(
  { baseUrl, apiKey, fetch }: Transport,
  id: string,
  lastId: string,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const headers = {
    accept: 'text/event-stream',
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
    ...(lastId !== '' && { 'last-event-id': lastId }),
  }
  const url = `${baseUrl}/payment/${encodeURIComponent(id)}/events`
  const response = await fetch(url, { headers, redirect: 'manual', ...(signal && { signal }) })
  refuseRedirect(response)
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && response.body && type.startsWith('text/event-stream')) return response.body
  const text = await response.text()
  throw errorOf(response, parse(text))
}

function shown({ id, type, data }: StreamEvent): PaymentEvent {
  return { sequence: id, type, data: parse(data) ?? data }
}
