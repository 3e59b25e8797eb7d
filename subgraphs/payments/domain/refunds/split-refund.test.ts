import { expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, chargeIdOf, payByCard } from '../../fixtures/card-payments.js'
import { orderRefund, sendNow, untilRefunded } from '../../fixtures/refunds.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()

const HALVES = ['rp_shop0001', 'rp_partner2'].map((recipientId, place) => ({
  receiverWallet: recipientId,
  receiverPercent: 50,
  recipientId,
  liable: place === 0,
}))
const paidInHalves = async () => payByCard(harness, await cardPayment(harness, { splitPaymentConfig: HALVES }))

/** What the processor has credited to recipients of a payment and taken from them, in cents, in the order in which it did. */
async function movementsOf(payment: Payment): Promise<[recipient: string, cents: number][]> {
  const { secretKey } = harness.railSettings.card
  const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`
  const url = `${harness.card.url}/core/v5/payables?size=100&charge_id=${chargeIdOf(payment)}`
  const answer = await fetch(url, { headers: { authorization } })
  const { data } = (await answer.json()) as { data: { recipient_id: string; amount: number }[] }
  return data.map(({ recipient_id, amount }) => [recipient_id, amount])
}

it('a refund in parts takes from each recipient what it got, to the cent', async () => {
  const payment = await paidInHalves()
  await orderRefund(harness, payment, { amount: '33.33' })
  await orderRefund(harness, payment)
  expect((await untilRefunded(harness, payment)).map(({ amount, status }) => [amount, status])).toEqual([
    ['33.33', 'succeeded'],
    ['66.67', 'succeeded'],
  ])
  expect(await movementsOf(payment)).toEqual([
    ['rp_shop0001', 5000],
    ['rp_partner2', 5000],
    ['rp_shop0001', -1667],
    ['rp_partner2', -1666],
    ['rp_shop0001', -3333],
    ['rp_partner2', -3334],
  ])
})

it('a refund keeps the shares that it was ordered with, whatever comes to nothing before it is sent', async () => {
  const payment = await paidInHalves()
  const [first, second] = [
    await orderRefund(harness, payment, { amount: '0.01' }),
    await orderRefund(harness, payment, { amount: '0.01' }),
  ]
  const kept = () =>
    harness.query(`select shares from payments.receipt_return where refund_id = any($1) order by created_at`, [
      [first.id, second.id],
    ])
  expect(await kept()).toEqual([{ shares: ['0.01', '0'] }, { shares: ['0', '0.01'] }])
  await harness.query(`update payments.receipt_return set status = 'refused' where refund_id = $1`, [first.id])
  await sendNow(harness, second)
  expect((await movementsOf(payment)).slice(2)).toEqual([['rp_partner2', -1]])
  expect(await kept()).toEqual([{ shares: ['0.01', '0'] }, { shares: ['0', '0.01'] }])
})
