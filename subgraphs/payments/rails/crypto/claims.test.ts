import { describe, expect, it } from 'vitest'
import { mayClaimAgain } from './claims.js'

const YEAR_MS = 365 * 24 * 3_600_000
const MINUTE_MS = 60_000
const START = new Date('2026-11-25T00:00:00Z')

describe('what is kept for a receiver', () => {
  it('is claimed at once, and while the claim is on its way', () => {
    expect(mayClaimAgain([], START)).toBe(true)
    expect(mayClaimAgain([{ state: 'stored', createdAt: START }], START)).toBe(true)
    expect(mayClaimAgain([{ state: 'final', createdAt: START }], START)).toBe(false)
  })

  it('is claimed nine times in a year at most, by a receiver who refuses whenever it counts', () => {
    const sent: { state: 'final'; createdAt: Date }[] = []
    for (let at = 0; at < YEAR_MS; at += 5 * MINUTE_MS) {
      const now = new Date(START.getTime() + at)
      if (mayClaimAgain(sent, now)) sent.unshift({ state: 'final', createdAt: now })
    }
    expect(sent).toHaveLength(9)
    const minutes = sent.map(({ createdAt }) => (createdAt.getTime() - START.getTime()) / MINUTE_MS)
    expect(minutes.toReversed().slice(0, 4)).toEqual([0, 10, 50, 210])
  })
})
