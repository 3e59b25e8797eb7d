import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { violations } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { untilMails } from '../harness/mailbox.js'
import { askForPix, openOrder, payPix } from '../harness/payment-page.js'
import { newEmail } from '../harness/rest-kyc.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

describe.skipIf(noBrowser)(`a payer who wants a receipt${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([
    { viewport: { width: 390, height: 844 }, locale: 'es-MX', subject: 'Recibo' },
    { viewport: { width: 1280, height: 900 }, locale: 'en-US', subject: 'Receipt', colorScheme: 'dark' as const },
  ])('gets it by e-mail in the language of the page: %j', async ({ subject, ...size }) => {
    const { page, part, untilStatus, assertClean } = await openOrder(harness, size)
    await payPix(harness, await askForPix({ part, untilStatus }))
    await untilStatus('paid')
    const email = newEmail()
    await part('receipt-email').fill('nobody')
    await part('receipt-send').click()
    await part('receipt-email').and(page.locator('[aria-invalid="true"]')).waitFor()
    expect(await violations(page)).toEqual([])
    await part('receipt-email').fill(email)
    await part('receipt-send').click()
    await part('receipt-requested').waitFor()
    const [mail] = await untilMails(harness, email)
    expect(mail?.subject).toContain(subject)
    assertClean()
  })
})
