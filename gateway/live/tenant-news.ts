import { recentlyUsed } from '../../kernel/recently-used.js'
import type { Clock } from '../../kernel/clock.js'
import { validationError } from '../../kernel/errors.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import { bell } from './bell.js'
import type { NewsDeps, PaymentNews } from './payment-news.js'
import { NEWS_PAGE, type NewsEntry } from './read-news.js'

/** An entry has the time of the process that made it, and a place that of a gateway: their clocks may be a minute apart. */
const CLOCKS_MS = 60_000
/**
 * How much earlier than the place of a stream it begins again. Besides, an entry has the time at which it was made and is seen once it
 * is committed, which may be later than the seeing of one that was made after it.
 */
const OVERLAP_MS = CLOCKS_MS + 10_000
/** How long a stream's place is good: to read further back is what lists are for. */
const RESUME_MAX_MS = 24 * 3_600_000
/** How many payments with news a stream keeps in mind for a reader that is slow; of more it reads the histories again. */
const WAITING_MAX = 1_000
/** Of how many payments a stream remembers how far it told of them: of all that it reads again, of 400 a second. */
const SEEN_MAX = 30_000
/** How long the connection that listens may have been lost, at most, before anybody noticed. */
const UNNOTICED_MAX_MS = 600_000
/** How far from its end a history is looked at, of which nothing was told yet. */
const LOOK_BACK = 20
/** The sequence of a payment's registration, which this stream does not tell of. */
const REGISTRATION = 1

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
  /** What is new of a payment. @param toldMs all that happened before that time was told, asked for each entry */
  ofPayment: (paymentId: string, toldMs: () => number) => AsyncGenerator<PaymentNews>
}

/** @param openedMs when the stream was opened */
function tenantReading(
  { read }: Pick<NewsDeps, 'read'>,
  context: RequestContext,
  { resume, openedMs }: { resume: TenantPlace | undefined; openedMs: number },
  signal: AbortSignal,
): TenantReading {
  const seen = recentlyUsed<string, number>(SEEN_MAX)
  if (resume?.seen) seen.set(resume.seen.paymentId, resume.seen.sequence)
  // A page of the console follows a refund, too: what webhooks tell of it is no change of the payment.
  const isShownAll = context.caller.person !== undefined
  // What happened before the stream was opened is none of its news, as far as clocks can tell.
  const earliestMs = resume ? 0 : openedMs - CLOCKS_MS

  /** Of a payment that is new to the stream: what happened since it was opened, and its last change, which is news in any case. */
  async function entriesOf(paymentId: string): Promise<{ entries: readonly NewsEntry[] }> {
    const known = seen.get(paymentId)
    if (known !== undefined) return read.history(context, paymentId, known)
    const { last } = await read.history(context, paymentId, 0)
    const { entries } = await read.history(context, paymentId, Math.max(REGISTRATION, last - LOOK_BACK))
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
    ofPayment: async function* (paymentId, toldMs) {
      for (let isMore = true; isMore && !signal.aborted;) {
        const { entries } = await entriesOf(paymentId)
        for (const { sequence, notify } of entries) {
          if (notify || isShownAll) yield { paymentId, sequence, id: idOf(paymentId, sequence, toldMs()) }
          seen.set(paymentId, sequence)
        }
        isMore = entries.length === NEWS_PAGE
      }
    },
  }
}

/** What a stream of all payments has heard of and not told yet. */
interface Untold {
  /** Payments with news, and since when; the oldest first. */
  waiting: Map<string, number>
  /** From when on the histories have to be read again: some news found no place, or may not have been heard. */
  missedSinceMs: number | undefined
  /** What happened before was told, but for what the other two name; so that it is never later than what waits. */
  toldUntilMs: number
}

/**
 * The changes of all payments of a tenant, those of one payment in order: each as it comes, and first, where the stream goes on
 * from a place, what was missed. None is left out; after a break what came in the last minute before it may come again, of a stream that
 * could not keep up more than that, and the sequence of the payment tells them. An id never has a time behind which something is
 * untold, so that a reader that goes on from there misses nothing.
 */
export async function* tenantNews(
  { changes, read, clock }: NewsDeps & { clock: Clock },
  context: RequestContext,
  resume: TenantPlace | undefined,
  signal: AbortSignal,
): AsyncGenerator<PaymentNews> {
  const { tenantId } = context.caller
  if (tenantId === null) return
  const nowMs = (): number => clock.now().getTime()
  const openedMs = nowMs()
  const reading = tenantReading({ read }, context, { resume, openedMs }, signal)
  const news = bell(signal)
  const untold: Untold = {
    waiting: new Map(),
    missedSinceMs: resume?.fromMs,
    toldUntilMs: resume?.fromMs ?? openedMs,
  }
  const unsubscribe = changes.subscribeTenant(tenantId, (paymentId) => {
    hear(untold, paymentId, nowMs())
    news.ring()
  })
  try {
    while (!signal.aborted) {
      const { missedSinceMs } = untold
      if (missedSinceMs !== undefined) {
        // What is missed from here on is read from here on, or a reader of a long history would begin it again and again.
        untold.missedSinceMs = undefined
        untold.toldUntilMs = nowMs()
        yield* reading.missed(missedSinceMs)
      }
      // News that come meanwhile are for another turn: under a load that lasts, what was missed would never be read.
      for (const [paymentId, heardMs] of [...untold.waiting]) {
        untold.waiting.delete(paymentId)
        yield* reading.ofPayment(paymentId, () => Math.min(heardMs, untold.missedSinceMs ?? heardMs))
        untold.toldUntilMs = Math.max(untold.toldUntilMs, heardMs)
      }
      if (untold.waiting.size > 0 || hasMissed(untold)) continue
      untold.toldUntilMs = Math.max(untold.toldUntilMs, nowMs() - UNNOTICED_MAX_MS)
      await news.rung()
    }
  } finally {
    unsubscribe()
  }
}

/** @param paymentId undefined where some news may not have been heard */
function hear(untold: Untold, paymentId: string | undefined, atMs: number): void {
  const { waiting } = untold
  if (paymentId === undefined || waiting.size >= WAITING_MAX) untold.missedSinceMs ??= untold.toldUntilMs
  else if (!waiting.has(paymentId)) waiting.set(paymentId, atMs)
}

function hasMissed({ missedSinceMs }: Untold): boolean {
  return missedSinceMs !== undefined
}

function idOf(paymentId: string, sequence: number, fromMs: number): string {
  return `${paymentId}:${sequence}:${fromMs.toString(36)}`
}
