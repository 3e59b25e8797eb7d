import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, payByCard } from '../../fixtures/card-payments.js'
import { orderRefund, refundedAtProcessor, refundsOf, sendNow, untilRefunded } from '../../fixtures/refunds.js'
import type { PaymentRefund } from '../../model/refund.js'
import type { Payment } from '../../store/payment.entity.js'
import { refundPayment } from './refund-payment.js'

/** The processor of cards says of a charge how much went back in all, and not of which refund. */
const harness = await startPaymentsHarness()

const AHEAD_MS = 60_000

/** A host whose clock is ahead takes the order. */
const orderAhead = ({ id }: Payment, amount: string): Promise<PaymentRefund> => {
  const clock = { ...harness.clock, now: () => new Date(harness.clock.now().getTime() + AHEAD_MS) }
  return refundPayment({ ...harness.deps, clock }, harness.tenant, { id, amount })
}

const send = (refund: PaymentRefund): Promise<void> => sendNow(harness, refund)
const refundedOf = (payment: Payment): Promise<number | undefined> => refundedAtProcessor(harness, payment)
const endedOf = async (payment: Payment) =>
  (await untilRefunded(harness, payment)).map(({ id, amount, status }) => ({ id, amount, status }))

describe('two refunds of a payment, ordered at hosts whose clocks differ', () => {
  it('go one after the other as they were ordered, and each goes back once', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    const first = await orderAhead(payment, '30')
    const second = await orderRefund(harness, payment, { amount: '20' })
    const third = await orderRefund(harness, payment, { amount: '10' })
    const times = [first, second, third].map(({ createdAt }) => createdAt.getTime())
    expect(times).toEqual([times[0], Number(times[0]) + 1, Number(times[0]) + 2])
    // The first is not at the processor yet: its job alone may go.
    await send(third)
    await send(second)
    expect(await refundedOf(payment)).toBe(0)
    await send(first)
    expect(await refundedOf(payment)).toBe(3_000)
    expect(await endedOf(payment)).toEqual([
      { id: first.id, amount: '30', status: 'succeeded' },
      { id: second.id, amount: '20', status: 'succeeded' },
      { id: third.id, amount: '10', status: 'succeeded' },
    ])
    expect(await refundedOf(payment)).toBe(6_000)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('wait for the one that is on its way, which the version before has ordered with a later time', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    const sent = await orderRefund(harness, payment, { amount: '30' })
    const waiting = await orderRefund(harness, payment, { amount: '20' })
    await harness.query(
      `update payments.receipt_return set created_at = created_at + interval '1 minute', sent_at = created_at
        where refund_id = $1`,
      [sent.id],
    )
    await send(waiting)
    expect(await refundedOf(payment)).toBe(0)
    await send(sent)
    expect(await refundedOf(payment)).toBe(3_000)
    await untilRefunded(harness, payment)
    expect((await refundsOf(harness, payment)).every(({ status }) => status === 'succeeded')).toBe(true)
    expect(await refundsOf(harness, payment)).toHaveLength(2)
    expect(await refundedOf(payment)).toBe(5_000)
  })
})
