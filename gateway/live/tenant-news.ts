import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.js'
import { validationError } from '../../kernel/errors.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import { bell } from './bell.js'
import type { NewsDeps, PaymentNews } from './payment-news.js'
import { NEWS_PAGE, type NewsEntry } from './read-news.js'

/**
 * How much earlier than the place of a stream it begins again. An entry has the time at which it was made and is seen once it
 * is committed, which may be later than the seeing of one that was made after it.
 */
const OVERLAP_MS = 10_000
/** How long a stream's place is good: to read further back is what lists are for. */
const RESUME_MAX_MS = 24 * 3_600_000
/** How many payments with news a stream keeps in mind for a reader that is slow; of more it reads the histories again. */
const WAITING_MAX = 1_000
/** Of how many payments a stream remembers how far it told of them. */
const SEEN_MAX = 10_000
/** How far from its end a history is looked at, of which nothing was told yet. */
const LOOK_BACK = 20

/** Where a stream of all payments goes on: from this time, but for what is known of this payment. */
export interface TenantPlace {
  fromMs: number
  seen?: { paymentId: string; sequence: number }
}

/**
 * The place that an event's id names: `payment:sequence:time`, the time in base 36.
 * @throws validation_error on `last-event-id`
 */
export function placeOf(lastEventId: string, clock: Clock): TenantPlace {
  const [, paymentId = '', sequence = '', time = ''] =
    /^(c[a-z0-9]{20,}):(\d{1,9}):([0-9a-z]{1,10})$/.exec(lastEventId) ?? []
  const fromMs = parseInt(time, 36)
  const fail = (message: string): never => {
    throw validationError([{ field: 'last-event-id', message }])
  }
  if (paymentId === '') return fail('must be the id of an event of this stream')
  if (fromMs < clock.now().getTime() - RESUME_MAX_MS)
    return fail('must be of the last 24 hours; list the payments instead')
  return { fromMs, seen: { paymentId, sequence: Number(sequence) } }
}

/** What a stream of all payments reads, each change once. */
interface TenantReading {
  /** What happened from a time on, by the times of the changes. */
  missed: (sinceMs: number) => AsyncGenerator<PaymentNews>
  /** What is new of a payment. @param sinceMs all that happened before was told */
  ofPayment: (paymentId: string, sinceMs: number) => AsyncGenerator<PaymentNews>
}

/** @param openedMs when the stream was opened */
function tenantReading(
  { read }: Pick<NewsDeps, 'read'>,
  context: RequestContext,
  { resume, openedMs }: { resume: TenantPlace | undefined; openedMs: number },
  signal: AbortSignal,
): TenantReading {
  const seen = new LRUCache<string, number>({ max: SEEN_MAX })
  if (resume?.seen) seen.set(resume.seen.paymentId, resume.seen.sequence)
  // What was told before the stream was opened is none of its news.
  const earliestMs = resume ? 0 : openedMs

  /** Of a payment that is new to the stream: what happened since it was opened, and its last change, which is news in any case. */
  async function entriesOf(paymentId: string): Promise<{ entries: readonly NewsEntry[] }> {
    const known = seen.get(paymentId)
    if (known !== undefined) return read.history(context, paymentId, known)
    const { last } = await read.history(context, paymentId, 0)
    const { entries } = await read.history(context, paymentId, Math.max(0, last - LOOK_BACK))
    return { entries: entries.filter((entry) => entry.sequence >= last || Date.parse(entry.createdAt) >= openedMs) }
  }

  return {
    missed: async function* (sinceMs) {
      const fromMs = Math.max(earliestMs, sinceMs - OVERLAP_MS)
      let place = { at: new Date(fromMs).toISOString(), paymentId: '', sequence: 0 }
      for (let isMore = true; isMore && !signal.aborted;) {
        const page = await read.announced(context, place)
        for (const { at, paymentId, sequence } of page) {
          if (sequence <= (seen.get(paymentId) ?? 0)) continue
          yield { paymentId, sequence, id: idOf(paymentId, sequence, Date.parse(at)) }
          seen.set(paymentId, sequence)
        }
        place = page.at(-1) ?? place
        isMore = page.length === NEWS_PAGE
      }
    },
    ofPayment: async function* (paymentId, sinceMs) {
      for (let isMore = true; isMore && !signal.aborted;) {
        const { entries } = await entriesOf(paymentId)
        for (const { sequence, notify } of entries) {
          if (notify) yield { paymentId, sequence, id: idOf(paymentId, sequence, sinceMs) }
          seen.set(paymentId, sequence)
        }
        isMore = entries.length === NEWS_PAGE
      }
    },
  }
}

/**
 * The changes of all payments of a tenant, those of one payment in order: each as it comes, and first, where the stream goes on
 * from a place, what was missed. None is left out; after a break some of the last seconds before it may come again, and the
 * sequence of the payment tells them.
 */
export async function* tenantNews(
  { changes, read, clock }: NewsDeps & { clock: Clock },
  context: RequestContext,
  resume: TenantPlace | undefined,
  signal: AbortSignal,
): AsyncGenerator<PaymentNews> {
  const { tenantId } = context.caller
  if (tenantId === null) return
  const openedMs = clock.now().getTime()
  const reading = tenantReading({ read }, context, { resume, openedMs }, signal)
  const news = bell(signal)
  /** Payments with news, and since when; the oldest first. */
  const waiting = new Map<string, number>()
  const missed: { sinceMs: number | undefined } = { sinceMs: resume?.fromMs }
  /** All that happened before was told. */
  let toldUntilMs = resume?.fromMs ?? openedMs
  const unsubscribe = changes.subscribeTenant(tenantId, (paymentId) => {
    if (paymentId === undefined || waiting.size >= WAITING_MAX) missed.sinceMs ??= toldUntilMs
    else if (!waiting.has(paymentId)) waiting.set(paymentId, clock.now().getTime())
    news.ring()
  })
  try {
    while (!signal.aborted) {
      const { sinceMs } = missed
      missed.sinceMs = undefined
      if (sinceMs !== undefined) yield* reading.missed(sinceMs)
      for (const [paymentId, arrivedMs] of waiting) {
        // News that come meanwhile are for another turn.
        waiting.delete(paymentId)
        yield* reading.ofPayment(paymentId, arrivedMs)
      }
      if (hasMissed(missed)) continue
      toldUntilMs = clock.now().getTime()
      await news.rung()
    }
  } finally {
    unsubscribe()
  }
}

function hasMissed({ sinceMs }: { sinceMs: number | undefined }): boolean {
  return sinceMs !== undefined
}

function idOf(paymentId: string, sequence: number, fromMs: number): string {
  return `${paymentId}:${sequence}:${fromMs.toString(36)}`
}
