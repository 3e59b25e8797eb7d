import type { SubscriptionInterval } from '../model/subscription.js'

const WEEK_MS = 7 * 24 * 3_600_000
const MONTHS = { monthly: 1, yearly: 12 } as const

/**
 * When a period is due, in UTC. It is counted from the anchor and not from the period before: of the 31st of January come
 * the 28th or 29th of February and then the 31st of March again.
 * @param anchor when period 0 is due
 * @param period 0 or more
 */
export function dueDate(anchor: Date, interval: SubscriptionInterval, period: number): Date {
  if (interval === 'weekly') return new Date(anchor.getTime() + period * WEEK_MS)
  const month = anchor.getUTCMonth() + period * MONTHS[interval]
  const due = new Date(anchor)
  // Day 0 of a month is the last one of the month before.
  const lastDay = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0)).getUTCDate()
  due.setUTCFullYear(anchor.getUTCFullYear(), month, Math.min(anchor.getUTCDate(), lastDay))
  return due
}

/** The first period that is due later than a time; 0 where that is before the anchor. */
export function firstPeriodAfter(anchor: Date, interval: SubscriptionInterval, at: Date): number {
  const period = Math.max(periodsUntil(anchor, interval, at), 0)
  return dueDate(anchor, interval, period) > at ? period : period + 1
}

/** What the due dates of a subscription follow from: an anchor, and the period that is due then. */
export interface Rhythm {
  anchorAt: Date
  anchorPeriod: number
  interval: SubscriptionInterval
}

/** When a period of a subscription is due; see `dueDate`. */
export function dueAtOf({ anchorAt, anchorPeriod, interval }: Rhythm, period: number): Date {
  return dueDate(anchorAt, interval, period - anchorPeriod)
}

/** The first period of a subscription that is due later than a time, not before its anchor's. */
export function periodAfter({ anchorAt, anchorPeriod, interval }: Rhythm, at: Date): number {
  return anchorPeriod + firstPeriodAfter(anchorAt, interval, at)
}

/** The period that is due in the same week, or month, as a time; of years the one that is begun. */
function periodsUntil(anchor: Date, interval: SubscriptionInterval, at: Date): number {
  if (interval === 'weekly') return Math.floor((at.getTime() - anchor.getTime()) / WEEK_MS)
  const years = at.getUTCFullYear() - anchor.getUTCFullYear()
  const months = years * 12 + at.getUTCMonth() - anchor.getUTCMonth()
  return Math.floor(months / MONTHS[interval])
}
