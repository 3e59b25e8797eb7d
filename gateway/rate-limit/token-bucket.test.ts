import { describe, expect, it } from 'vitest'
import { tokenBuckets } from './token-bucket.js'

function setUp(options: { perMinute: number; maxKept: number }) {
  const clock = { atMs: 0, now: () => new Date(0), aheadMs: () => 0, steadyMs: () => clock.atMs }
  return { clock, own: tokenBuckets({ ...options, clock }) }
}

describe('a tokenBuckets', () => {
  it('gives what a minute has at once, and then as it fills up', () => {
    const { clock, own } = setUp({ perMinute: 120, maxKept: 10 })
    for (let one = 0; one < 120; one += 1) expect(own.take('a')).toBe(0)
    expect(own.take('a')).toBe(1)
    expect(own.take('b')).toBe(0)
    clock.atMs += 500
    expect([own.take('a'), own.take('a')]).toEqual([0, 1])
    clock.atMs += 3_600_000
    for (let one = 0; one < 120; one += 1) expect(own.take('a')).toBe(0)
    expect(own.take('a')).toBe(1)
  })

  it('says the seconds until there is one', () => {
    const { own } = setUp({ perMinute: 1, maxKept: 10 })
    expect([own.take('a'), own.take('a')]).toEqual([0, 60])
  })

  it('keeps no more of them than it was told to', () => {
    const { own } = setUp({ perMinute: 1, maxKept: 10 })
    for (let one = 0; one < 1_000; one += 1) own.take(String(one))
    expect(own.size).toBe(10)
  })
})
