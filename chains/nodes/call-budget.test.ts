import { describe, expect, it } from 'vitest'
import { createCallBudget } from './call-budget.js'

describe("a node's budget of calls", () => {
  it('lets a second of calls go at once, and the others in their order as the budget allows; none is dropped', async () => {
    const waits: number[] = []
    const delay = (ms: number): Promise<void> => {
      waits.push(ms)
      return Promise.resolve()
    }
    let nowMs = 0
    const mayGo = createCallBudget(10, { nowMs: () => nowMs, delay })
    await Promise.all(Array.from({ length: 13 }, () => mayGo(1)))
    expect(waits).toEqual([100, 200, 300])
    // Each call of a batch counts.
    await mayGo(5)
    expect(waits.at(-1)).toBe(800)
    nowMs = 800
    await mayGo(1)
    expect(waits.at(-1)).toBe(100)
    nowMs = 10_000
    await mayGo(10)
    expect(waits).toHaveLength(5)
  })

  it('is without limit where none is set', async () => {
    const mayGo = createCallBudget(undefined, { nowMs: () => 0, delay: () => Promise.reject(new Error('waited')) })
    await Promise.all(Array.from({ length: 1000 }, () => mayGo(1)))
  })
})
