import { ApiError, ConnectionError } from './api-error.js'
import { errorOf } from './failure.js'
import { waitBeforeRetry } from './retry.js'
import { parse, refuseRedirect, type Transport } from './send.js'
import { readEvents, type StreamEvent, type StreamState } from './sse.js'

/** How long to wait before a stream that ended is opened again, where the service has not said so. */
const REOPEN_MS = 2_000

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
}

/**
 * The events of a payment from `GET /payment/{id}/events`. It goes on until its reader leaves, or its signal ends it.
 * @throws ApiError where the stream is refused; ConnectionError where it cannot be opened again and again
 */
export async function* paymentEvents(
  transport: Transport,
  id: string,
  { signal, after = '' }: EventsOptions,
): AsyncGenerator<PaymentEvent, void, void> {
  const state: StreamState = { lastId: after }
  let failures = 0
  for (;;) {
    let waitMs: number | undefined
    try {
      const stream = await openStream(transport, id, state.lastId, signal)
      for await (const event of readEvents(stream, state)) {
        failures = 0
        yield shown(event)
      }
      waitMs = state.retryMs ?? REOPEN_MS
    } catch (error) {
      if (signal?.aborted === true) return
      const broken =
        error instanceof ApiError ? error : new ConnectionError('the stream of events broke', { cause: error })
      waitMs = failures < transport.maxRetries ? waitBeforeRetry(broken, true, failures, transport.random) : undefined
      if (waitMs === undefined) throw broken
      failures += 1
    }
    const isEnded = await transport.sleep(waitMs, signal).then(
      () => false,
      () => true,
    )
    if (isEnded) return
  }
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
