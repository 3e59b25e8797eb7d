import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { until } from '../../../../test/harness/until.js'
import { changeCharge, chargeIdOf, countCallbacks, orderOf, payByCard } from '../../fixtures/card-payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { refundsOf } from '../../fixtures/refunds.js'
import { startSubscriptionHarness } from '../../fixtures/subscriptions.js'
import type { Payment } from '../../store/payment.entity.js'
import { listDisputes } from '../refunds/list-disputes.js'
import { registerCheckoutPayment } from '../registration/register-checkout-payment.js'

const harness = await startSubscriptionHarness()
const { deps, tenant } = harness

type Loss = 'refund' | 'chargeback'
const LOSSES = [
  ['refund', 'refunded', 'charge_paid', '100'],
  ['chargeback', 'charge_taken_back', 'receipt_taken_back', null],
] as const

/** The first payment of a subscription, by a card that the antifraud looks into. */
async function reviewed(): Promise<Payment> {
  const orderCode = harness.subscriptionOrder({ retryCount: 0 })
  const payment = await payByCard(
    harness,
    await registerCheckoutPayment(deps, tenant, { orderCode } as never),
    {},
    CARDS.processing,
  )
  expect(payment).toMatchObject({ status: 'pending' })
  return payment
}

/** Lets one look show that a charge was paid, and what of its money is gone. */
async function settleAndLose(payment: Payment, what: Loss, body: object = {}): Promise<void> {
  const before = await countCallbacks(harness, payment)
  await harness.cardControl(`/charges/${chargeIdOf(payment)}/settle`, {})
  await harness.cardControl(`/charges/${chargeIdOf(payment)}/${what}`, body)
  await until('the callbacks', async () => (await countCallbacks(harness, payment)) >= before + 2)
  await harness.runJobs()
}

const toldOf = ({ id }: Payment) =>
  harness.query('select type, cause from payments.payment_event where payment_id = $1 and notify order by sequence', [
    id,
  ])
const subscriptionsOf = async ({ id }: Payment) =>
  (await deps.subscriptions.ofPayments(tenant.id, [id])).filter(Boolean)
const disputesOf = async ({ id }: Payment) =>
  (await listDisputes(deps, tenant, { first: 100 })).edges.filter(({ node }) => node.paymentId === id)

/** What the books have of a payment, by account and currency. */
const booksOf = ({ id }: Payment) =>
  harness.query(
    `select account, currency, sum(credit - debit)::text as balance from payments.ledger_line
      where payment_id = $1 group by 1, 2 order by 1, 2`,
    [id],
  )

describe('a charge in fiat that is first seen when all of its money is gone', () => {
  it.each(LOSSES)('by a %s ends its payment, tells of no success, and begins no subscription', async (...given) => {
    const [what, code, cause, refundedAmount] = given
    const payment = await reviewed()
    await settleAndLose(payment, what)
    await harness.goOn(60)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code }, refundedAmount })
    const types = (await toldOf(payment)).map(({ type }) => type)
    expect(types).toEqual(['payment.registered', 'payment.pending', 'payment.error'])
    expect((await toldOf(payment)).at(-1)).toMatchObject({ cause })
    expect(await subscriptionsOf(payment)).toEqual([])
  })

  it.each(LOSSES)('by a %s is booked and listed as one that is gone after its success', async (what) => {
    const payment = await reviewed()
    await settleAndLose(payment, what)
    const before = await reviewed()
    await changeCharge(harness, before, 'settle')
    await changeCharge(harness, before, what)
    expect(await presentOf(harness, before)).toMatchObject({ status: 'success', dataError: null })
    expect(await subscriptionsOf(before)).toMatchObject([{ status: 'active' }])
    const [refunds, disputes] = what === 'refund' ? [['succeeded'], 0] : [[], 1]
    for (const one of [payment, before]) {
      expect((await refundsOf(harness, one)).map(({ status }) => status)).toEqual(refunds)
      expect(await disputesOf(one)).toHaveLength(disputes)
    }
    expect(await booksOf(payment)).toEqual(await booksOf(before))
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('by a refund of a part and a chargeback of the rest was taken back', async () => {
    const payment = await reviewed()
    const { id } = orderOf(payment).charges[0] ?? {}
    await harness.cardControl(`/charges/${id}/settle`, {})
    await harness.cardControl(`/charges/${id}/refund`, { amount: 4_000 })
    await harness.cardControl(`/charges/${id}/chargeback`, {})
    await until('the callbacks', async () => (await countCallbacks(harness, payment)) >= 3)
    await harness.runJobs()
    const dataError = { code: 'charge_taken_back' }
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError, refundedAmount: '40' })
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is a success where a part of it is left', async () => {
    const payment = await reviewed()
    await settleAndLose(payment, 'refund', { amount: 9_999 })
    const present = await presentOf(harness, payment)
    expect(present).toMatchObject({ status: 'success', dataError: null, refundedAmount: '99.99' })
    expect(await subscriptionsOf(payment)).toMatchObject([{ status: 'active' }])
  })
})

describe('a period that is first seen when all of its money is gone', () => {
  /** A period that was charged to a card which the antifraud looks into. */
  async function reviewedPeriod() {
    const first = await reviewed()
    await changeCharge(harness, first, 'settle')
    const subscription = await harness.subscriptionOf(first)
    await harness.goTo(subscription.nextPaymentAt)
    const period = await harness.lastPeriod(subscription)
    expect(period).toMatchObject({ status: 'pending' })
    return { subscription, period }
  }

  it('is settled by a refund, and not renewed', async () => {
    const { subscription, period } = await reviewedPeriod()
    await settleAndLose(period, 'refund')
    expect(await presentOf(harness, period)).toMatchObject({ status: 'error', dataError: { code: 'refunded' } })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered'])
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
  })

  it('is past due by a chargeback', async () => {
    const { subscription, period } = await reviewedPeriod()
    await settleAndLose(period, 'chargeback')
    const dataError = { code: 'charge_taken_back' }
    expect(await presentOf(harness, period)).toMatchObject({ status: 'error', dataError })
    expect(await harness.eventTypes(subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'past_due'],
    ])
  })
})
