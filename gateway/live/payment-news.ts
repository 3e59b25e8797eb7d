import { validationError } from '../../kernel/errors.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import { bell } from './bell.js'
import type { PaymentChanges } from './payment-changes.js'
import { NEWS_PAGE, type NewsReader } from './read-news.js'

/** A change of a payment that a stream tells of. */
export interface PaymentNews {
  paymentId: string
  sequence: number
  /** What a client sends as `Last-Event-ID` to go on behind it. */
  id: string
}

/** What a stream is made of. */
export interface NewsDeps {
  changes: PaymentChanges
  read: NewsReader
}

/** How far from its end a history is looked at for the last entry that the tenant is told of. */
const LOOK_BACK = 20

/**
 * Where the stream of a payment begins: behind `Last-Event-ID`, otherwise before the last change that its tenant was told
 * of, so that the first event is the payment as it is now.
 * @throws payment_not_found, or validation_error on `last-event-id`
 */
export async function startOfPayment(
  { read }: NewsDeps,
  context: RequestContext,
  paymentId: string,
  lastEventId: string | undefined,
): Promise<number> {
  const asked = lastEventId === undefined ? undefined : sequenceOf(lastEventId)
  const { last } = await read.history(context, paymentId, asked ?? 0)
  // What is ahead is of another payment, or of before the database went back: behind it nothing would come for long.
  if (asked !== undefined && asked <= last) return asked
  const { entries } = await read.history(context, paymentId, Math.max(0, last - LOOK_BACK))
  const told = entries.findLast(({ notify }) => notify)
  return told === undefined ? last : told.sequence - 1
}

function sequenceOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw validationError([{ field: 'last-event-id', message: 'must be the id of an event of this stream' }])
}

/**
 * The changes of a payment behind a sequence, each once and in order: those that are there, then each as it comes, until
 * `signal` is aborted. The database's notifications say when to look, and the history what there is: none that is lost or comes
 * twice makes a difference.
 */
export async function* paymentNews(
  { changes, read }: NewsDeps,
  context: RequestContext,
  { paymentId, after }: { paymentId: string; after: number },
  signal: AbortSignal,
): AsyncGenerator<PaymentNews> {
  const { tenantId } = context.caller
  if (tenantId === null) return
  const news = bell(signal)
  const unsubscribe = changes.subscribe({ tenantId, paymentId }, news.ring)
  let last = after
  try {
    while (!signal.aborted) {
      const { entries } = await read.history(context, paymentId, last)
      for (const { sequence, notify } of entries) {
        if (notify) yield { paymentId, sequence, id: String(sequence) }
        last = sequence
      }
      if (entries.length < NEWS_PAGE) await news.rung()
    }
  } finally {
    unsubscribe()
  }
}
