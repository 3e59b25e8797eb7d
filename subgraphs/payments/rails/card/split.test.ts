import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../../chaos/random.js'
import { splitRules } from './split.js'

const receiver = (receiverPercent: number, recipientId: string, flags: object = {}) => ({
  receiverWallet: 'any',
  receiverPercent,
  recipientId,
  ...flags,
})
const amounts = (percents: number[], cents: bigint) =>
  splitRules(
    percents.map((percent, index) => receiver(percent, `rp_${index}`)),
    cents,
  ).map(({ amount }) => amount)

describe('the split of a charge', () => {
  it('gives the cents that remain to the largest remainders, the first of equals first', () => {
    expect(amounts([33.33, 33.33, 33.34], 100n)).toEqual([33, 33, 34])
    expect(amounts([50, 50], 101n)).toEqual([51, 50])
    expect(amounts([33.4, 33.3, 33.3], 10n)).toEqual([4, 3, 3])
    expect(amounts([10.05, 89.95], 1000n)).toEqual([101, 899])
  })

  it('is exact for percentages that binary floats cannot hold, and for large amounts', () => {
    expect(amounts([0.1, 0.2, 99.7], 1_000n)).toEqual([1, 2, 997])
    expect(amounts([33.333333, 66.666667], 999_999_999_999n)).toEqual([333_333_330_000, 666_666_669_999])
  })

  it('sums to the total whatever the shares are', () => {
    const next = randomOf(7)
    const random = (below: number): number => Math.floor(next() * below)
    for (let run = 0; run < 500; run += 1) {
      const parts = Array.from({ length: 1 + random(6) }, () => 1 + random(1000))
      const whole = parts.reduce((sum, part) => sum + part, 0)
      const percents = parts.map((part) => Math.floor((part / whole) * 10_000) / 100)
      const rest = 10_000 - percents.reduce((sum, percent) => sum + Math.round(percent * 100), 0)
      percents[0] = (Math.round((percents[0] ?? 0) * 100) + rest) / 100
      const cents = BigInt(1 + random(1_000_000))
      expect(amounts(percents, cents).reduce((sum, amount) => sum + amount, 0)).toBe(Number(cents))
    }
  })

  it('has somebody liable, somebody who pays the fee and one who takes the remainder, where nobody says who', () => {
    const rules = splitRules([receiver(60, 'rp_a'), receiver(40, 'rp_b')], 1000n)
    expect(rules.map(({ options }) => options)).toEqual([
      { liable: true, charge_processing_fee: true, charge_remainder_fee: true },
      { liable: false, charge_processing_fee: false, charge_remainder_fee: false },
    ])
  })

  it('keeps who the receivers say is liable and pays the fee, who takes the remainder too', () => {
    const rules = splitRules(
      [receiver(60, 'rp_a', { liable: true }), receiver(40, 'rp_b', { chargeProcessingFee: true })],
      1000n,
    )
    expect(rules.map(({ options }) => options)).toEqual([
      { liable: true, charge_processing_fee: false, charge_remainder_fee: false },
      { liable: false, charge_processing_fee: true, charge_remainder_fee: true },
    ])
  })

  it('has one rule of a recipient that is named twice, and none for a share of nothing', () => {
    const rules = splitRules(
      [receiver(50, 'rp_a'), receiver(49.9, 'rp_a'), receiver(0.1, 'rp_b', { liable: true })],
      100n,
    )
    expect(rules).toEqual([
      {
        type: 'flat',
        amount: 100,
        recipient_id: 'rp_a',
        options: { liable: true, charge_processing_fee: true, charge_remainder_fee: true },
      },
    ])
  })
})
