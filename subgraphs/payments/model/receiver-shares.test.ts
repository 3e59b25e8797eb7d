import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../chaos/random.js'
import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import { keptShares, sharesByPercent, sharesOfRefund } from './receiver-shares.js'
import { feeOfRefund } from './refund-rules.js'

const receiversOf = (percents: readonly number[]) =>
  percents.map((receiverPercent, place) => ({
    receiverWallet: `w${place}`,
    receiverPercent,
    recipientId: `rp_${place}`,
  }))
const amountOf = (cents: number) => fromBaseUnits(BigInt(cents), 2)
const centsOf = (amount: string) => Number(toBaseUnits(amount, 2))
const total = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0)

/** A charge whose money two or more receivers have got, in cents, and its refunds. */
function sharedCharge(percents: readonly number[], cents: number, feeCents = 0) {
  const receivers = receiversOf(percents)
  const received = { id: 'c', amount: amountOf(cents) }
  const platformFee = feeCents === 0 ? null : amountOf(feeCents)
  type Status = 'requested' | 'done' | 'refused'
  const refunds: ReturnType<typeof refundOf>[] = []
  function refundOf(id: string, amount: string, status: Status) {
    const fee = feeOfRefund(platformFee, received, refunds, amount)
    const shares = sharesOfRefund({ receivers, received, platformFee }, refunds, { amount, platformFee: fee })
    return { id, receiptId: 'c', amount, status, forced: false, reason: 'refund', platformFee: fee, shares }
  }
  const order = (part: number) => {
    const refund = refundOf(`r${refunds.length}`, amountOf(part), 'requested')
    refunds.push(refund)
    return refund
  }
  return { receivers, refunds, order, captured: sharesByPercent(receivers, BigInt(cents - feeCents)).map(Number) }
}

const sharesIn = ({ shares }: { shares: readonly string[] }) => shares.map(centsOf)

describe('the shares of a refund', () => {
  it('take from nobody more than it got, whatever the parts', () => {
    const { order } = sharedCharge([50, 50], 10_000)
    expect([order(3333), order(6667)].map(sharesIn)).toEqual([
      [1667, 1666],
      [3333, 3334],
    ])
    const byCents = sharedCharge([50, 50], 4)
    expect([1, 1, 1, 1].map((cent) => sharesIn(byCents.order(cent)))).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
      [0, 1],
    ])
  })

  it('leave those of a refund that failed to the next', () => {
    const { order } = sharedCharge([50, 50], 3)
    const failed = order(1)
    const second = order(1)
    failed.status = 'refused'
    expect([failed, second, order(2)].map(sharesIn)).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
    ])
  })

  it('count those of the version before as it shared them out, and leave nobody below nothing', () => {
    const { receivers, refunds, order } = sharedCharge([50, 50], 101)
    for (const part of [1, 1, 1]) Object.assign(order(part), { status: 'done', shares: null })
    expect(keptShares(receivers, { amount: '0.01', shares: null })).toEqual(['0.01', '0'])
    expect(refunds).toHaveLength(3)
    expect(sharesIn(order(98))).toEqual([48, 50])
  })

  it('are nothing where all that came was the fee of the platform', () => {
    const { order } = sharedCharge([50, 50], 1, 1)
    expect(sharesIn(order(1))).toEqual([0, 0])
  })

  it('are never below nothing nor beyond the credit, sum to each refund, and end at what was credited', () => {
    const next = randomOf(11)
    const random = (below: number): number => Math.floor(next() * below)
    for (let run = 0; run < 400; run += 1) {
      const places = 1 + random(5)
      const hundredths = Array.from({ length: places - 1 }, () => random(Math.floor(10_000 / places)))
      const percents = [...hundredths, 10_000 - total(hundredths)].map((one) => one / 100)
      const cents = 2 + random(random(2) === 0 ? 40 : 100_000)
      const feeCents = random(3) === 0 ? random(Math.floor(cents / 2)) : 0
      const { captured, refunds, order } = sharedCharge(percents, cents, feeCents)
      const debited = () =>
        captured.map((_, place) =>
          total(refunds.filter(({ status }) => status !== 'refused').map((one) => centsOf(one.shares[place] ?? '0'))),
        )
      for (let left = cents; left > 0;) {
        const part = refunds.length > 30 ? left : 1 + random(random(2) === 0 ? left : Math.min(left, 3))
        const refund = order(part)
        const shares = sharesIn(refund)
        expect(total(shares)).toBe(part - centsOf(refund.platformFee ?? '0'))
        expect(shares.every((share) => share >= 0)).toBe(true)
        expect(debited().every((sum, place) => sum <= (captured[place] ?? 0))).toBe(true)
        left -= part
        // One that is on its way may fail, also after others were ordered.
        const failing = refunds[random(refunds.length)]
        if (random(4) === 0 && left > 0 && failing?.status === 'requested') {
          failing.status = 'refused'
          left += centsOf(failing.amount)
        } else if (random(2) === 0) refund.status = 'done'
      }
      expect(debited()).toEqual(captured)
    }
  })
})
