import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAsOwner } from '../harness/console-page.js'
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
})
