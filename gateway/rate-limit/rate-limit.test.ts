import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../kernel/clock.js'
import { rateLimit } from './rate-limit.js'
import type { RateVerdict } from './rate-headers.js'

/** A clock that stands still until it is told to move. */
function standingClock(): Clock & { nowMs: number; setByMs: number } {
  return {
    nowMs: Date.parse('2026-01-01T00:00:00.500Z'),
    /** How far the time of day is set wrong. */
    setByMs: 0,
    now() {
      return new Date(this.nowMs + this.setByMs)
    },
    aheadMs: () => 0,
    steadyMs() {
      return this.nowMs
    },
  }
}

function setUp(limit: number, maxKeys = 100) {
  const clock = standingClock()
  const rate = rateLimit({ limit, clock, maxKeys })
  const take = (key = 'key'): RateVerdict => {
    const verdict = rate.take(key)
    if (verdict instanceof Promise) throw new Error('a process that shares with nobody has nothing to wait for')
    return verdict
  }
  return { clock, rate, take }
}

describe('the rate limit within one process', () => {
  it('lets 600 a minute in and refuses the 601st', () => {
    const { take, clock } = setUp(600)
    for (let request = 1; request <= 600; request += 1) {
      expect(take()).toEqual({ allowed: true, limit: 600, remaining: 600 - request, resetSeconds: 60 })
    }
    clock.nowMs += 59_999
    expect(take()).toEqual({ allowed: false, limit: 600, remaining: 0, resetSeconds: 1 })
    clock.nowMs += 1
    expect(take()).toEqual({ allowed: true, limit: 600, remaining: 599, resetSeconds: 60 })
  })

  it('slides: a burst on the border of two minutes is not let in twice', () => {
    const { take, clock } = setUp(600)
    clock.nowMs = Date.parse('2026-01-01T00:00:59.000Z')
    for (let request = 1; request <= 600; request += 1) take()
    clock.nowMs = Date.parse('2026-01-01T00:01:01.000Z')
    expect(take()).toMatchObject({ allowed: false, resetSeconds: 58 })
  })

  it('lets in exactly when fewer than the limit were let in during the 60 seconds before', () => {
    const arrivals = fc.array(
      fc.record({ pauseMs: fc.oneof(fc.constant(0), fc.nat(2_000), fc.nat(70_000)), key: fc.constantFrom('a', 'b') }),
      { minLength: 50, maxLength: 400 },
    )
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 20 }), (requests, limit) => {
        const { take, clock } = setUp(limit)
        const letIn: { key: string; atMs: number }[] = []
        for (const { pauseMs, key } of requests) {
          clock.nowMs += pauseMs
          const inWindow = letIn.filter((each) => each.key === key && each.atMs > clock.nowMs - 60_000)
          const verdict = take(key)
          expect(verdict.allowed).toBe(inWindow.length < limit)
          expect(verdict.remaining).toBe(Math.max(0, limit - inWindow.length - 1))
          if (verdict.allowed) letIn.push({ key, atMs: clock.nowMs })
        }
      }),
    )
  })

  it('tells a refused caller the first second at which a repetition is let in', () => {
    const pauses = fc.array(fc.nat(5_000), { minLength: 10, maxLength: 40 })
    fc.assert(
      fc.property(pauses, (requests) => {
        const { take, clock } = setUp(5)
        for (const pauseMs of requests) {
          clock.nowMs += pauseMs
          const { allowed, resetSeconds } = take()
          if (allowed) continue
          clock.nowMs += (resetSeconds - 1) * 1000
          expect(resetSeconds === 1 || !take().allowed).toBe(true)
          clock.nowMs += 1000
          expect(take().allowed).toBe(true)
        }
      }),
    )
  })

  it('does not let one key use up another one', () => {
    const { take } = setUp(3)
    for (let request = 1; request <= 10; request += 1) take('greedy')
    expect(take('modest')).toMatchObject({ allowed: true, remaining: 2 })
  })

  it('has no limit at 0', () => {
    const { take, rate } = setUp(0)
    for (let request = 1; request <= 2_000; request += 1) expect(take().allowed).toBe(true)
    expect(rate.size).toBe(0)
  })

  it.each([3_600_000, -3_600_000])('is by the time that passes when the clock is set by %i ms, and back', (setByMs) => {
    const { take, clock } = setUp(2)
    expect([take().allowed, take().allowed, take().allowed]).toEqual([true, true, false])
    clock.setByMs = setByMs
    expect(take()).toMatchObject({ allowed: false, resetSeconds: 60 })
    clock.setByMs = 0
    clock.nowMs += 60_000
    expect([take().allowed, take().allowed]).toEqual([true, true])
    expect(take()).toMatchObject({ allowed: false, resetSeconds: 60 })
    clock.nowMs += 60_000
    expect(take().allowed).toBe(true)
  })

  it('keeps a bounded number of keys, those used last', () => {
    const { take, rate } = setUp(1, 50)
    for (let key = 0; key < 1_000; key += 1) take(`key ${key}`)
    expect(rate.size).toBe(50)
    expect(take('key 999').allowed).toBe(false)
  })

  it('keeps a bounded memory of a key whatever its limit is', () => {
    const { take, clock } = setUp(1_000_000)
    for (let request = 0; request < 300_000; request += 1) {
      if (request % 2 === 0) clock.nowMs += 1
      take()
    }
    // 150 seconds at 2000 a second: the window holds the last 60.
    expect(take().remaining).toBe(1_000_000 - 120_001)
  })
})
