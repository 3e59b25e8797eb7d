import { expect, it } from 'vitest'
import { newestSlot } from './newest-slot.js'

const ABSURD = 2 ** 50

it.each<[string, number[], number]>([
  ['nothing before the first answer', [], 0],
  ['the first answer', [300_000_000], 300_000_000],
  ['the highest of those that are near', [300_000_000, 300_000_150, 300_000_100], 300_000_150],
  ['no slot that no chain has, once another answer came', [300_000_000, 300_000_001, ABSURD, 300_000_002], 300_000_002],
  ['no such slot that came first either', [ABSURD, 300_000_000], 300_000_000],
  ['no such slot that comes again and again among others', [ABSURD, 7, ABSURD, 8, 9, ABSURD, 10], 10],
  [
    'one far ahead until it is contradicted, as hours may have passed',
    [300_000_000, 300_000_001, 300_090_000],
    300_090_000,
  ],
  ['one far ahead that the next answer agrees to', [7, 8, 300_090_000, 300_090_010, 300_090_005, 9], 300_090_010],
])('is %s', (_what, slots, expected) => {
  const newest = newestSlot()
  for (const slot of slots) newest.note(slot)
  expect(newest.read()).toBe(expected)
})
