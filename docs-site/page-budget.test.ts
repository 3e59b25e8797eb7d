import { expect, it } from 'vitest'
import { adjustableClock } from '../kernel/clock.js'
import { pageBudget } from './page-budget.js'

it('a page that costs is made so often for one IPv6 network, whichever of its addresses asks', () => {
  const take = pageBudget({ ofAddress: 2, ofAll: 100 }, adjustableClock())
  const waits = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:3:4:5:6'].map((ip) => take({ ip }))
  expect(waits).toEqual([0, 0, expect.any(Number)])
  expect(waits[2]).toBeGreaterThan(0)
  expect(take({ ip: '2001:db8:1:3::1' })).toBe(0)
})

it('of what all addresses have together, one that has used up its own takes nothing', () => {
  const take = pageBudget({ ofAddress: 1, ofAll: 2 }, adjustableClock())
  expect([take({ ip: '203.0.113.1' }), take({ ip: '203.0.113.1' }) > 0, take({ ip: '203.0.113.2' })]).toEqual([
    0,
    true,
    0,
  ])
  expect(take({ ip: '203.0.113.3' })).toBeGreaterThan(0)
})
