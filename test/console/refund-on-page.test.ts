import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { assertAccessible } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAsOwner } from '../harness/console-page.js'
import { postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
const { tenant } = harness
usesBrowser()

const order = await tenant.createOrder(cardTerms(['rp_shop0001', 'rp_partner2']))

describe.skipIf(noBrowser)(`the refunds of a payment on its page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('come by themselves where somebody else has made them, and are shown as they end', async () => {
    const id = await tenant.payByCard(order)
    const { part, page, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    await part('history').waitFor()
    expect(await part('refunds').count()).toBe(0)
    const made = await tenant.post(`/payment/${id}/refund`, { amount: '10.00' })
    expect(made.status).toBe(201)
    await part('refunds').locator('[data-status="SUCCEEDED"]').waitFor()
    await part('refunds').getByText('Refunded: R$10.00').waitFor()
    expect(await page.locator('[data-test="refunds"] [data-test="row"]').count()).toBe(1)
    assertClean()
  })

  it('are told in the currency that was charged, whatever the price was in', async () => {
    const dollars = await tenant.createOrder({
      ...cardTerms(['rp_shop0001', 'rp_partner2']),
      ...{ from_currency_symbol: 'USD', amount_from: '20.00' },
    })
    const id = await tenant.payByCard(dollars)
    await tenant.post(`/payment/${id}/refund`, { amount: '10.00' })
    const { part, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    await part('refunds').locator('[data-status="SUCCEEDED"]').waitFor()
    expect(await part('money').innerText()).toMatch(/US\$20\.00/)
    await part('refunds').getByText('Refunded: R$10.00').waitFor()
    await part('refund-payment').click()
    await part('refund-amount').waitFor()
    await part('refund-amount').page().getByLabel('Amount (BRL)').waitFor()
    assertClean()
  })

  it('are not asked a proof for where no amount can be so', async () => {
    const id = await tenant.payByCard(order)
    const { part, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    await part('refund-payment').waitFor()
    // Signing in was a proof; ten minutes later another one is wanted.
    harness.clock.advance(11 * 60_000)
    await part('refund-payment').click()
    for (const [typed, why] of [
      ['1,005', 'Amount: must not have more than 2 decimals'],
      ['0.00', 'Amount: must be above 0'],
    ] as const) {
      await part('refund-amount').fill(typed)
      await part('refund-do').click()
      await part('refusal').getByText(why).waitFor()
      expect(await part('prove').count()).toBe(0)
    }
    await part('refund-amount').fill('1,05')
    await part('refund-do').click()
    await part('prove').waitFor()
    assertClean()
  })

  it('do not lack what was paid twice and went back: how much it was stands there, and in the history', async () => {
    const { id, charge } = await tenant.pixOfOrder(
      await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } }),
    )
    const pay = `${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`
    await postJson(pay)
    await tenant.untilStatus(id, 'success')
    const { part, page, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    await part('money').getByText('Nothing was refunded.').waitFor()
    await postJson(pay, { again: true })
    await part('returned')
      .getByText(/^What was paid twice went back: R\$[\d.]+$/)
      .waitFor()
    expect(await part('money').getByText('Nothing was refunded.').count()).toBe(0)
    const told = await part('history').innerText()
    expect(told).toMatch(/It was paid twice\s+R\$[\d.]+/)
    expect(told).toMatch(/A refund has reached the payer\s+R\$[\d.]+/)
    await part('language').selectOption('pt')
    await part('returned')
      .getByText(/^O que foi pago duas vezes voltou ao pagador: R\$\s[\d,]+$/)
      .waitFor()
    await assertAccessible(page)
    assertClean()
  })
})
