import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { postJson } from '../../../../test/harness/control.js'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardData, cardPayment, changeCharge, payByCard } from '../../fixtures/card-payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()
const splitPaymentConfig = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }]

/** A charge that the antifraud looks into: the payer's document says so to the simulator. */
async function underReview(): Promise<Payment> {
  const data = cardData(CARDS.paid)
  const payment = await payByCard(harness, await cardPayment(harness, { splitPaymentConfig }), {
    transactionType: 'cardcrypto',
    payerDocument: '22222222222',
    payerDocumentType: 'PASSPORT',
    cardData: { ...data, address: { ...data.address, country: 'US', state: 'NY' } },
  })
  expect(payment).toMatchObject({ status: 'pending', amountTo: '18.450185' })
  return payment
}
const payoutsOf = async (payment: Payment) =>
  (await harness.deps.payouts.findAll(payment)).map(({ amount, fiatAmount }) => [amount, fiatAmount])

describe('a card under review', () => {
  it('is paid as quoted where it is accepted while the quote holds', async () => {
    const payment = await underReview()
    await changeCharge(harness, payment, 'settle')
    expect(await payoutsOf(payment)).toEqual([['18.450185', '100']])
  })

  it('is priced again where it is accepted after that, and shows both', async () => {
    const payment = await underReview()
    await harness.advance(24 * 3_600)
    await postJson(`${harness.prices.url}/sandbox/price`, { symbol: 'USDTBRL', price: '5' })
    await changeCharge(harness, payment, 'settle')
    expect(await payoutsOf(payment)).toEqual([['20', '100']])
    const present = await presentOf(harness, payment)
    expect(present).toMatchObject({ amountTo: '20' })
    expect(present.quoteId).not.toBe(payment.quoteId)
    expect(await harness.deps.quotes.find(harness.tenant.id, present.quoteId ?? '')).toMatchObject({ amountTo: '20' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
