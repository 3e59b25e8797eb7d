import { describe, expect, it } from 'vitest'
import { nextAttemptAt, readRetryAfterMs, RETRY_DELAYS_MS } from './retry-schedule.js'

const HOUR_MS = 3_600_000
const start = new Date('2025-01-01T00:00:00.000Z')

describe('the schedule of a delivery', () => {
  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, and no more', () => {
    const delays = Array.from({ length: 11 }, (_, failures) => nextAttemptAt(failures + 1, start, start))
    expect(delays.map((at) => at && (at.getTime() - start.getTime()) / 1000)).toEqual([
      ...[5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
      undefined,
      undefined,
    ])
  })

  it('is put off when the receiver asks for it, and never brought forward', () => {
    const asking = (ms: number) => nextAttemptAt(2, start, start, ms)?.getTime()
    expect(asking(2 * HOUR_MS)).toBe(start.getTime() + 2 * HOUR_MS)
    expect(asking(1000)).toBe(start.getTime() + 300_000)
  })

  it('is not put off beyond its own end', () => {
    const end = start.getTime() + RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0)
    expect(nextAttemptAt(1, start, start, 1000 * HOUR_MS)?.getTime()).toBe(end)
    const late = new Date(end)
    expect(nextAttemptAt(3, start, late, 1000 * HOUR_MS)?.getTime()).toBe(end + 1_800_000)
  })

  it.each([
    [undefined, 0],
    ['120', 120_000],
    ['0', 0],
    ['-5', 0],
    ['soon', 0],
    ['Wed, 01 Jan 2025 00:02:00 GMT', 120_000],
    ['Tue, 31 Dec 2024 23:00:00 GMT', 0],
  ])('reads Retry-After %j as %d ms', (value, ms) => {
    expect(readRetryAfterMs(value, start)).toBe(ms)
  })
})
