import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { postJson } from '../../../../test/harness/control.js'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardData, cardPayment, changeCharge, chargeIdOf, payByCard } from '../../fixtures/card-payments.js'
import { chargeOf, presentOf } from '../../fixtures/pix-payments.js'
import { chargeRailOf } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { NewPaymentTerms } from '../registration/new-payment.js'
import type { Payment } from '../../store/payment.entity.js'
import { applyChargeView } from './apply-charge.js'
import { syncCharge } from './sync-charge.js'

const harness = await startPaymentsHarness()
const card = chargeRailOf(harness.deps, 'card') as ChargeRail
const splitPaymentConfig = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }]

/** A charge that the antifraud looks into: the payer's document says so to the simulator. */
async function underReview(terms: Partial<NewPaymentTerms> = {}): Promise<Payment> {
  const data = cardData(CARDS.paid)
  const payment = await payByCard(harness, await cardPayment(harness, { splitPaymentConfig, ...terms }), {
    transactionType: 'cardcrypto',
    payerDocument: '22222222222',
    payerDocumentType: 'PASSPORT',
    cardData: { ...data, address: { ...data.address, country: 'US', state: 'NY' } },
  })
  expect(payment.status).toBe('pending')
  return payment
}
const payoutsOf = async (payment: Payment) =>
  (await harness.deps.payouts.findAll(payment)).map(({ amount, fiatAmount }) => [amount, fiatAmount])

describe('a card under review', () => {
  it('is paid as quoted where it is accepted while the quote holds', async () => {
    const payment = await underReview()
    expect(payment.amountTo).toBe('18.450185')
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

  it('is worth what was charged where the payment is in another currency, which may have gone another way', async () => {
    await postJson(`${harness.prices.url}/sandbox/price`, { symbol: 'USDTBRL', price: '5' })
    await harness.advance(3_600)
    const payment = await underReview({ fromCurrencySymbol: 'USD', amountFrom: '100' })
    const { amount, currency } = await chargeOf(harness, payment)
    expect([amount, currency]).toEqual(['499.9', 'BRL'])
    await harness.advance(24 * 3_600)
    await postJson(`${harness.prices.url}/sandbox/price`, { symbol: 'USDTBRL', price: '5.4' })
    await changeCharge(harness, payment, 'settle')
    // 499.90 / 5.4: a dollar buys as much as before, and what came is fewer dollars.
    expect(await payoutsOf(payment)).toEqual([['92.574074', '499.9']])
    const quote = await harness.deps.quotes.find(harness.tenant.id, (await presentOf(harness, payment)).quoteId ?? '')
    expect(quote).toMatchObject({ fromCurrencySymbol: 'USD', amountFrom: '100', amountTo: '92.574074' })
    expect(Number(quote?.rate)).toBeCloseTo(0.925741, 6)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is priced again where it is shown as accepted in time only after its charge was called expired', async () => {
    await postJson(`${harness.prices.url}/sandbox/price`, { symbol: 'USDTBRL', price: '5.42' })
    await harness.advance(3_600)
    const payment = await underReview()
    const { reference } = await chargeOf(harness, payment)
    const old = await card.adapter.retrieve(reference)
    harness.card.setCallbackUrl('http://127.0.0.1:9/')
    await harness.advance(24 * 3_600)
    await harness.cardControl(`/charges/${chargeIdOf(payment)}/settle`)
    await harness.advance(2 * 24 * 3_600 + 60)
    if (old) await applyChargeView(harness.deps, card, await chargeOf(harness, payment), old)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'charge_expired' } })
    await postJson(`${harness.prices.url}/sandbox/price`, { symbol: 'USDTBRL', price: '5' })
    await syncCharge(harness.deps, card, await chargeOf(harness, payment))
    expect(await payoutsOf(payment)).toEqual([['20', '100']])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', dataError: null, amountTo: '20' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
