import { describe, expect, it } from 'vitest'
import { postJson } from '../../../test/harness/control.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { chargedAmount } from '../domain/charges/price-charge.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { chargeRailOf } from '../rails/find-rail.js'
import { lockQuote } from './lock-quote.js'

const harness = await startPaymentsHarness()
const { deps } = harness
const spread = (symbol: string, price: string) =>
  postJson(`${harness.prices.url}/sandbox/price`, { symbol, price, spread_percent: '1' })

describe('a market whose offers lie apart', () => {
  it('prices a payout by what buying the token costs us, and a transfer by what selling it brings its receiver', async () => {
    // Bid 4.975, asked 5.025.
    await spread('USDTBRL', '5')
    harness.clock.advance(10_000)
    const payment = await checkoutPayment(harness, { fromCurrencySymbol: 'BRL', amountFrom: '500' })
    const quoted = async (pricedFor: 'payout' | 'transfer') => (await lockQuote(deps, payment, 6, pricedFor)).amountTo
    expect(await quoted('payout')).toBe('99.502488')
    expect(await quoted('transfer')).toBe('100.502513')
  })

  it('charges what buying the amount costs', async () => {
    await spread('USDTBRL', '5')
    harness.clock.advance(10_000)
    const payment = await checkoutPayment(harness, { fromCurrencySymbol: 'USDT', amountFrom: '100' })
    const rail = chargeRailOf(deps, 'pix')
    expect(rail && (await chargedAmount(deps, rail, payment))).toBe('502.5')
  })
})
