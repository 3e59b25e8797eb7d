import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeFunctionData, erc20Abi, parseEventLogs, type Address } from 'viem'
import { hasSplitDeployer, nextSplitStep } from './distribute.js'
import { forwarderAbi } from './forwarder.js'
import { shareAmounts, splitShares } from '../shares.js'
import { paymentReference, splitAddress } from './split.js'
import { act, freshAddress, splitOf, startEvmHarness } from '../../test/harness/evm.js'

/** Percentages of up to 6 decimals that sum to exactly 100, from 1 to 8 of them. */
const percents = fc
  .uniqueArray(fc.integer({ min: 1, max: 99_999_999 }), { maxLength: 7 })
  .map((cuts) => [0, ...cuts.sort((a, b) => a - b), 100_000_000])
  .map((edges) => edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0)))
  .map((parts) => parts.map((part) => `${Math.floor(part / 1e6)}.${String(part % 1e6).padStart(6, '0')}`))

describe('sharing an amount out', () => {
  it('gives away exactly the amount, no share more than one unit per receiver off, for any percentages', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), percents, (total, parts) => {
        const amounts = shareAmounts(total, parts)
        expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(total)
        const sum = splitShares(parts).reduce((subtotal, share) => subtotal + share, 0n)
        splitShares(parts).forEach((share, index) => {
          const amount = amounts[index] ?? -1n
          const exactFloor = (total * share) / sum
          if (index > 0) expect(amount).toBe(exactFloor)
          else expect(amount - exactFloor).toBeLessThan(BigInt(parts.length))
        })
      }),
    )
  })

  it('gives what remains to the first receiver', () => {
    expect(shareAmounts(100n, ['33.333333', '33.333333', '33.333334'])).toEqual([34n, 33n, 33n])
    expect(shareAmounts(1n, ['1', '99'])).toEqual([1n, 0n])
    expect(shareAmounts(1_000_001n, ['70', '30'])).toEqual([700_001n, 300_000n])
  })

  it.each([
    [['70', '29.999999']],
    [['70', '30.0000000000000000001']],
    [['-10', '110']],
    [['1e2']],
    [['50', ' 50']],
    [['٥٠', '50']],
    [[]],
  ])('refuses %j', (parts) => {
    expect(() => splitShares(parts)).toThrow(RangeError)
  })
})

describe("a split's address", () => {
  const forwarder = { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' } as const
  const one: Address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const other: Address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
  const base = splitOf(paymentReference('a'), [one, other], ['70', '30'])

  it('is another one for every payment, receiver, order and share', () => {
    const splits = [
      base,
      splitOf(paymentReference('b'), [one, other], ['70', '30']),
      splitOf(paymentReference('a'), [other, one], ['70', '30']),
      splitOf(paymentReference('a'), [one, one], ['70', '30']),
      splitOf(paymentReference('a'), [one, other], ['71', '29']),
    ]
    expect(new Set(splits.map((split) => splitAddress(forwarder, split))).size).toBe(splits.length)
  })

  it('stays what it was when payments were sent there, because a new bytecode would lock them in', () => {
    expect(splitAddress(forwarder, { ...base, version: 1 })).toBe('0x240b2d9c88A61f7F4d4dCa5A2590891Ccd41d58c')
    expect(splitAddress(forwarder, { ...base, version: 2 })).toBe('0x7d9497DC92aEcDd51Dda6F1358973bCbF9F607A0')
    expect(splitAddress(forwarder, { ...base, percents: ['70.00', '30.0'] })).toBe(splitAddress(forwarder, base))
  })

  it('needs one percentage per receiver', () => {
    expect(() => splitAddress(forwarder, { ...base, receivers: [one] })).toThrow(RangeError)
  })
})

describe('the forwarder on a chain', async () => {
  const harness = await startEvmHarness()

  it('shares out to the unit what shareAmounts says, for any percentages and amount', async () => {
    const { chain, client, usdt, payer } = harness
    const forwarder = chain.split
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 10n ** 9n }), percents, fc.uuid(), async (total, parts, id) => {
        const split = splitOf(paymentReference(id), parts.map(freshAddress), parts)
        const address = splitAddress(forwarder, split)
        const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, total] })
        await act(harness, { from: payer.address, to: usdt.address, data: transfer })
        for (const kind of ['deploy', 'distribute'] as const) {
          const step = await nextSplitStep(client, forwarder, split, usdt, { due: total, sender: payer.address })
          if (step.kind !== kind) throw new Error(`${kind} was expected, not ${step.kind}`)
          const receipt = await act(harness, { from: payer.address, to: step.to, data: step.data })
          expect(receipt.status).toBe('success')
          if (kind === 'deploy') continue
          const [event] = parseEventLogs({ abi: forwarderAbi, eventName: 'Distributed', logs: receipt.logs })
          expect(event?.args.amounts).toEqual(shareAmounts(total, parts))
        }
        expect(await nextSplitStep(client, forwarder, split, usdt, { due: total, sender: payer.address })).toEqual({
          kind: 'done',
          distributed: total,
        })
      }),
      { numRuns: 25 },
    )
  })

  it('knows whether a chain has the deployer', async () => {
    expect(await hasSplitDeployer(harness.client, harness.chain.split)).toBe(true)
    expect(await hasSplitDeployer(harness.client, { kind: 'forwarder', deployer: freshAddress() })).toBe(false)
  })
})
