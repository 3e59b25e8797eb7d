import { describe, expect, it } from 'vitest'
import { plannedFlows, type PlannedFlow } from './load.js'

function first(seed: number, count: number): PlannedFlow[] {
  const plan = plannedFlows(seed, 3)
  return Array.from({ length: count }, () => plan.next().value)
}

describe('the plan of a load', () => {
  it('follows from the seed alone', () => {
    expect(first(7, 200)).toEqual(first(7, 200))
    expect(first(7, 200)).not.toEqual(first(8, 200))
  })

  it('has all rails of all tenants', () => {
    const plan = first(1, 300)
    expect(new Set(plan.map(({ kind }) => kind)).size).toBe(9)
    expect(new Set(plan.map(({ tenant }) => tenant))).toEqual(new Set([0, 1, 2]))
  })
})
