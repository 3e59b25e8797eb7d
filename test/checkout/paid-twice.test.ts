import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { askForPix, CARD_PAYER, openOrder, payPix } from '../harness/payment-page.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

describe.skipIf(noBrowser)(`a payer who pays twice${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('is told at once that what he paid by an earlier code goes back, on the page that says that it is paid', async () => {
    const opened = await openOrder(harness, { hosts: [new URL(harness.cardUrl).host], locale: 'en-US' })
    const { part, untilStatus, assertClean } = opened
    const code = await askForPix(opened)
    await part('method-card').click()
    const number = '4000000000000010'
    for (const [name, value] of Object.entries({ number, ...CARD_PAYER })) await part(`card-${name}`).fill(value)
    await part('pay').click()
    await untilStatus('paid')
    await payPix(harness, code)
    await part('sent-back').waitFor()
    expect(await part('sent-back').innerText()).toContain('goes back to you')
    assertClean()
  })
})
