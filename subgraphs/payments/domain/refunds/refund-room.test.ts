import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { outcomeOf } from '../../../../test/harness/refusal.js'
import { paidPayment } from '../../fixtures/pix-payments.js'
import { orderRefund, refundsOf, untilRefunded } from '../../fixtures/refunds.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()

/** Orders refunds of a cent, one after the other. */
async function orderCents(payment: Payment, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await orderRefund(harness, payment, { amount: '0.01' })
}

/** A payment with one refund of a cent that has ended, and a way to write more of these down, as if they had ended with it. */
async function withEnded(mode: 'refuse' | 'settle') {
  const { payment } = await paidPayment(harness)
  await harness.pixControl('/returns', { mode })
  await orderCents(payment, 1)
  const [first] = await untilRefunded(harness, payment)
  const repeat = (count: number) =>
    harness.query(
      `insert into payments.receipt_return select copy.* from payments.receipt_return as ended, generate_series(1, $2::int) as n,
        concat(ended.id, n) as other, jsonb_populate_record(ended, jsonb_build_object('id', other, 'refund_id', other)) as copy
        where ended.refund_id = $1`,
      [first?.id, count],
    )
  return { payment, repeat }
}

describe('how many refunds of a payment are ordered', () => {
  it('98 of any amount, then of all that is left: less is refused with its field, and nothing is written', async () => {
    const { payment } = await paidPayment(harness)
    await orderCents(payment, 98)
    await expect(orderRefund(harness, payment, { amount: '99.01' })).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'amount' }],
    })
    expect(await refundsOf(harness, payment)).toHaveLength(98)
    expect(await orderRefund(harness, payment, { amount: '99.02' })).toMatchObject({ status: 'pending' })
    expect(await refundsOf(harness, payment)).toHaveLength(99)
    expect(await outcomeOf(orderRefund(harness, payment))).toBe('refund_exceeds_payment')
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('all that is left goes back however many have gone back before, as of an earlier release', async () => {
    const { payment, repeat } = await withEnded('settle')
    await repeat(219)
    expect(await outcomeOf(orderRefund(harness, payment, { amount: '1' }))).toBe('validation_error')
    await orderRefund(harness, payment)
    expect((await untilRefunded(harness, payment)).at(-1)).toMatchObject({ amount: '97.8', status: 'succeeded' })
  })

  it('as long as the provider has not refused a hundred within a day: then it is taken again later, and goes back', async () => {
    const { payment, repeat } = await withEnded('refuse')
    await repeat(98)
    await orderRefund(harness, payment)
    expect(await untilRefunded(harness, payment)).toHaveLength(100)
    const refused = orderRefund(harness, payment)
    await expect(refused).rejects.toMatchObject({
      code: 'payment_not_refundable',
      details: expect.stringContaining('taken again from') as string,
    })
    expect(await refundsOf(harness, payment)).toHaveLength(100)
    await harness.pixControl('/returns', { mode: 'settle' })
    harness.clock.advance(24 * 60 * 60 * 1000)
    await orderRefund(harness, payment)
    expect((await untilRefunded(harness, payment)).at(-1)).toMatchObject({ amount: '100', status: 'succeeded' })
  })
})
