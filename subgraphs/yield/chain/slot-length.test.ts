import { expect, it } from 'vitest'
import { startYieldHarness } from '../../../test/harness/yield.js'
import { slotLength } from './slot-length.js'

/** A reading of the clock so many slots and seconds into an epoch. */
const reading = (slots: number, seconds: number, epoch = 800n) => ({
  slot: epoch * 432_000n + BigInt(slots),
  epoch,
  epochStartSeconds: 1_790_000_000n,
  unixSeconds: 1_790_000_000n + BigInt(seconds),
})

it("is what the epoch's slots have taken until now, and stays while the next one is young", () => {
  const lengthAt = slotLength()
  expect(lengthAt(reading(100, 21))).toBeUndefined()
  expect(lengthAt(reading(200_000, 42_800))).toBe(214_000n)
  expect(lengthAt(reading(50, 20, 801n))).toBe(214_000n)
  expect(lengthAt(reading(10_000, 3_500, 801n))).toBe(350_000n)
})

it.each([
  ['slots that are counted otherwise', { ...reading(0, 5_000), slot: 5_000n }],
  ['a clock that stands still', reading(100_000, 0)],
  ['an epoch that began at no time', { ...reading(1_000, 500), epochStartSeconds: 0n }],
])('is not told by %s', (_what, clock) => {
  expect(slotLength()(clock)).toBeUndefined()
})

it('comes with what is read of accounts, and costs no call of its own', async () => {
  const harness = await startYieldHarness()
  const from = harness.rpc.calls.length
  const { time } = await harness.deps.chain.readAccounts([])
  expect(harness.rpc.calls.slice(from).map(({ method }) => method)).toEqual(['getMultipleAccounts'])
  expect(time.slotMicroseconds).toBe(500_000n)
})
