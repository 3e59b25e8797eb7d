import { describe, expect, it } from 'vitest'
import { AREAS, type Area } from './fault.js'
import { between, pick } from './random.js'
import { printed, scheduleOf, type Draws } from './schedule.js'

const areasOf = (...names: Area[]): Draws[] =>
  names.map((area) => ({
    area,
    draw: (random) => ({
      kind: pick(random, ['cut', 'freeze']),
      target: pick(random, ['one', 'another']),
      forMs: between(random, 0, 20_000),
      details: { blocks: between(random, 1, 8) },
    }),
  }))

describe('a schedule', () => {
  it('is the same for the same seed, and another for another', () => {
    const options = { seed: 7, minutes: 2, areas: areasOf(...AREAS) }
    const schedule = scheduleOf(options)
    expect(scheduleOf({ ...options, areas: areasOf(...AREAS) })).toEqual(schedule)
    expect(scheduleOf({ ...options, seed: 8 })).not.toEqual(schedule)
    expect(new Set(schedule.map(({ area }) => area))).toEqual(new Set(AREAS))
  })

  it('has its faults in order, and all of them over at the end of the load', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const faults = scheduleOf({ seed, minutes: 0.5, areas: areasOf('pg', 'rpc') })
      const starts = faults.map(({ atMs }) => atMs)
      expect(starts).toEqual(starts.toSorted((left, right) => left - right))
      expect(starts.at(-1)).toBeLessThanOrEqual(25_000)
      expect(Math.max(...faults.map(({ atMs, forMs }) => atMs + forMs))).toBeLessThanOrEqual(30_000)
    }
  })

  it('keeps to the areas that were asked for', () => {
    expect(new Set(scheduleOf({ seed: 1, minutes: 1, areas: areasOf('pg') }).map(({ area }) => area))).toEqual(
      new Set(['pg']),
    )
    expect(scheduleOf({ seed: 1, minutes: 1, areas: [] })).toEqual([])
  })

  it('is printed with all that is needed to understand it', () => {
    const line = printed([
      { area: 'rpc', kind: 'reorganise', target: 'evm', atMs: 1_250, forMs: 0, details: { blocks: 7 } },
    ])
    expect(line.split(/\s{2,}/)).toEqual(['', '1.3 s', 'rpc', 'reorganise', 'evm', 'once', 'blocks=7'])
  })
})
