import type { BrowserContext } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { askForPix, openOrder, payPix } from '../harness/payment-page.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

/** Makes numbers be written as the standard had it until 2023: more than 20 digits behind the point are refused. */
async function withOldNumbers(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Intl.NumberFormat = new Proxy(Intl.NumberFormat, {
      construct: (target, [locale, options]: [string?, Intl.NumberFormatOptions?]) => {
        if ((options?.maximumFractionDigits ?? 0) > 20) throw new RangeError('maximumFractionDigits is out of range')
        return new target(locale, options)
      },
    })
  })
}

/** Takes away what Chrome 103, Firefox 100 and Safari 16 brought. */
async function withoutTimeouts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Reflect.deleteProperty(AbortSignal, 'timeout')
  })
}

describe.skipIf(noBrowser)(`the payment page in a browser of 2022${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('comes alive and is paid on, though no more than 20 digits can be written', async () => {
    const { part, untilStatus, assertClean } = await openOrder(harness, { prepare: withOldNumbers })
    await payPix(harness, await askForPix({ part, untilStatus }))
    await untilStatus('paid')
    expect(await part('receipt').innerText()).toContain('149,90')
    assertClean()
  })

  it('asks its server for what its payer wants, though no signal ends by itself', async () => {
    const { part, untilStatus, assertClean } = await openOrder(harness, { prepare: withoutTimeouts })
    await askForPix({ part, untilStatus })
    assertClean()
  })
})
