import { describe, expect, it } from 'vitest'
import { dueDate, firstPeriodAfter } from './periods.js'

const at = (text: string): Date => new Date(text)
const dates = (anchor: string, interval: 'weekly' | 'monthly' | 'yearly', count: number): string[] =>
  Array.from({ length: count }, (_, period) => dueDate(at(anchor), interval, period).toISOString().slice(0, 10))

describe('a due date', () => {
  it('on the last day of a long month is the last of a short one, and the anchor’s day again after it', () => {
    expect(dates('2027-01-31T10:00:00Z', 'monthly', 5)).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
    ])
    expect(dates('2028-01-30T10:00:00Z', 'monthly', 3)).toEqual(['2028-01-30', '2028-02-29', '2028-03-30'])
  })

  it('on a leap day is the 28th of February in other years', () => {
    expect(dates('2028-02-29T23:59:59.999Z', 'yearly', 5)).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ])
  })

  it('keeps the time of the day in UTC, whatever summer time is', () => {
    expect(dueDate(at('2027-03-20T02:30:00.123Z'), 'weekly', 2).toISOString()).toBe('2027-04-03T02:30:00.123Z')
    expect(dueDate(at('2027-10-31T00:30:00Z'), 'monthly', 1).toISOString()).toBe('2027-11-30T00:30:00.000Z')
    expect(dueDate(at('2027-12-31T23:30:00Z'), 'monthly', 2).toISOString()).toBe('2028-02-29T23:30:00.000Z')
  })
})

describe('the first period after a time', () => {
  it('is the anchor’s own while that is to come, and never the one that is due right now', () => {
    const anchor = at('2027-01-31T10:00:00Z')
    expect(firstPeriodAfter(anchor, 'monthly', at('2020-01-01T00:00:00Z'))).toBe(0)
    expect(firstPeriodAfter(anchor, 'monthly', at('2027-01-31T09:59:59.999Z'))).toBe(0)
    expect(firstPeriodAfter(anchor, 'monthly', anchor)).toBe(1)
    expect(firstPeriodAfter(anchor, 'monthly', at('2027-02-28T09:59:59.999Z'))).toBe(1)
    expect(firstPeriodAfter(anchor, 'monthly', at('2027-02-28T10:00:00Z'))).toBe(2)
  })

  it.each(['weekly', 'monthly', 'yearly'] as const)('is the only one around any time (%s)', (interval) => {
    const anchor = at('2024-02-29T18:00:00Z')
    for (let hours = 0; hours < 60_000; hours += 7) {
      const now = new Date(anchor.getTime() + hours * 3_600_000)
      const period = firstPeriodAfter(anchor, interval, now)
      expect(dueDate(anchor, interval, period) > now).toBe(true)
      expect(dueDate(anchor, interval, period - 1) <= now).toBe(true)
    }
  })
})
