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

it('is no slot that a node of another chain has agreed to itself, once all others were far behind it for ten minutes', () => {
  let nowMs = 0
  const newest = newestSlot(() => nowMs)
  for (const slot of [300_000_000, ABSURD, ABSURD + 1, 300_000_001]) newest.note(slot)
  expect(newest.read()).toBe(ABSURD + 1)
  nowMs += 599_000
  newest.note(300_001_500)
  expect(newest.read()).toBe(ABSURD + 1)
  nowMs += 1_000
  newest.note(300_001_502)
  expect(newest.read()).toBe(300_001_502)
})

it('is kept through hours in which nothing is asked, though what answers first then is far behind', () => {
  let nowMs = 0
  const newest = newestSlot(() => nowMs)
  for (const slot of [300_000_000, 300_000_001]) newest.note(slot)
  nowMs += 7_200_000
  newest.note(299_990_000)
  expect(newest.read()).toBe(300_000_001)
})
