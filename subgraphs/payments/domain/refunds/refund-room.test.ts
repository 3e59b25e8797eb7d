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

describe('how many refunds of a payment are ordered', () => {
  it('a hundred, the last of all that is left: a smaller one is refused with its field, and nothing is written', async () => {
    const { payment } = await paidPayment(harness)
    await orderCents(payment, 99)
    await expect(orderRefund(harness, payment, { amount: '99.00' })).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'amount' }],
    })
    expect(await refundsOf(harness, payment)).toHaveLength(99)
    expect(await orderRefund(harness, payment, { amount: '99.01' })).toMatchObject({ status: 'pending' })
    expect(await refundsOf(harness, payment)).toHaveLength(100)
    expect(await outcomeOf(orderRefund(harness, payment))).toBe('refund_exceeds_payment')
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('as many again of all that is left, where the provider refuses', async () => {
    const { payment } = await paidPayment(harness)
    await harness.pixControl('/returns', { mode: 'refuse' })
    await orderCents(payment, 1)
    await untilRefunded(harness, payment)
    const refuse = (ids: number[]) =>
      harness.query(
        `insert into payments.receipt_return select copy.* from payments.receipt_return as refused, unnest($2::int[]) as n,
          lateral jsonb_populate_record(refused, jsonb_build_object('id', 'r' || n, 'refund_id', 'r' || n)) as copy
          where refused.refund_id = $1`,
        [first?.id, ids],
      )
    const [first] = await refundsOf(harness, payment)
    await refuse(Array.from({ length: 98 }, (_, index) => index))
    expect(await outcomeOf(orderRefund(harness, payment, { amount: '1' }))).toBe('validation_error')
    await refuse(Array.from({ length: 100 }, (_, index) => 100 + index))
    await orderRefund(harness, payment)
    expect(await untilRefunded(harness, payment)).toHaveLength(200)
    expect(await outcomeOf(orderRefund(harness, payment))).toBe('payment_not_refundable')
  })
})
