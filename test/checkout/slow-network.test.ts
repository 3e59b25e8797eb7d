import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { DESKTOP, noBrowser, PHONE, usesBrowser, type OpenedPage } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { openOrder, PIX_PAYER } from '../harness/payment-page.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

/** Opens a page whose script comes only when its payer has done something. */
async function beforeScript(size: object, act: (page: Page) => Promise<void>, terms = {}): Promise<OpenedPage> {
  const [opened, arrived] = [Promise.withResolvers<Page>(), Promise.withResolvers<void>()]
  const prepare = async (context: BrowserContext): Promise<void> => {
    context.on('page', opened.resolve)
    await context.route('**/page-*.js', async (route) => {
      await arrived.promise
      await route.continue()
    })
  }
  const opening = openOrder(harness, { ...size, prepare }, terms)
  await act(await opened.promise)
  arrived.resolve()
  return opening
}

const press = (page: Page, name: string): Promise<void> => page.locator(`[data-test="${name}"]`).click()

describe.skipIf(noBrowser)(`a payer on a slow network${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([PHONE, DESKTOP])('chooses how he pays before the script is there: %j', async (size) => {
    const { part, assertClean } = await beforeScript(size, async (page) => {
      await press(page, 'method-address')
      await press(page, 'method-card')
      expect(await page.locator('[aria-busy="true"]').getAttribute('data-test')).toBe('method-card')
    })
    await part('card-number').waitFor()
    expect(await part('method-card').getAttribute('aria-pressed')).toBe('true')
    expect(await part('method-card').getAttribute('aria-busy')).not.toBe('true')
    assertClean()
  })

  it('asks for his Pix by the button, and has it with what he has typed', async () => {
    const { part, assertClean } = await beforeScript(PHONE, async (page) => {
      await page.locator('[data-test="pix-cpf"]').fill(PIX_PAYER.cpf)
      await page.locator('[data-test="pix-email"]').fill(PIX_PAYER.email)
      await press(page, 'pay')
    })
    await part('pix-code').waitFor()
    assertClean()
  })

  it('asks for his Pix by the keyboard, of a price in another currency', async () => {
    const type = async (page: Page): Promise<void> => {
      await page.locator('[data-test="pix-cpf"]').fill(PIX_PAYER.cpf)
      await page.locator('[data-test="pix-email"]').fill(PIX_PAYER.email)
      await page.locator('[data-test="pix-email"]').press('Enter')
    }
    const { part, assertClean } = await beforeScript(DESKTOP, type, { from_currency_symbol: 'USD', amount_from: '50' })
    await part('pix-code').waitFor()
    expect(await part('charge').isVisible()).toBe(true)
    assertClean()
  })

  it('who has pressed nothing has nothing done', async () => {
    const { part, assertClean } = await beforeScript(PHONE, async (page) => {
      await page.locator('[data-test="pay"]').waitFor()
    })
    expect(await part('pay').getAttribute('aria-busy')).toBe('false')
    expect(await part('pix-code').count()).toBe(0)
    assertClean()
  })
})
