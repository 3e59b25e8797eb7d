import type { BrowserContext } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { violations } from '../harness/axe.js'
import { noBrowser, openPage, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { askForPix, openOrder, pageOfOrder, payPix, PIX_PAYER } from '../harness/payment-page.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

describe.skipIf(noBrowser)(`the payment page in a browser${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds wrong, from open to paid: %s',
    async (colorScheme) => {
      const { page, part, untilStatus, assertClean } = await openOrder(harness, { colorScheme })
      await part('pay').click()
      expect(await violations(page)).toEqual([])
      for (const method of ['method-wallet', 'method-card']) {
        await part(method).click()
        await page.locator('.loading').waitFor({ state: 'detached' })
        await part('pay').first().waitFor()
        expect(await violations(page)).toEqual([])
      }
      await part('method-pix').click()
      const code = await askForPix({ part, untilStatus })
      expect(await violations(page)).toEqual([])
      await payPix(harness, code)
      await untilStatus('paid')
      expect(await violations(page)).toEqual([])
      assertClean()
    },
  )

  it('can be paid on with the keyboard alone', async () => {
    const { page, part, untilStatus } = await openOrder(harness, {}, { payment_method_allowed: { pixcrypto: true } })
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('data-test') ?? null)
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 20; presses += 1) {
        if ((await focused()) === name) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`${name} cannot be reached`)
    }
    await tabTo('pix-cpf')
    // A wrong number is told, and the focus is where it is mended.
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await part('pix-cpf').and(page.locator('[aria-invalid="true"]')).waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-test') === 'pix-cpf')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(PIX_PAYER.cpf)
    await tabTo('pix-email')
    await page.keyboard.type(PIX_PAYER.email)
    await page.keyboard.press('Enter')
    await untilStatus('waiting')
    await tabTo('pix-copy')
  })

  it('shows state, code and QR code without a script', async () => {
    const { address, part, untilStatus } = await openOrder(harness)
    const code = await askForPix({ part, untilStatus })
    const plain = await openPage(address, { javaScriptEnabled: false })
    await plain.untilStatus('waiting')
    expect(await plain.part('pix-code').inputValue()).toBe(code)
    expect(await plain.part('pix-qr').isVisible()).toBe(true)
    expect(await plain.part('pix-copy').isVisible()).toBe(false)
  })

  it('changes its language', async () => {
    const { page, part } = await openOrder(harness)
    await part('language').selectOption('es')
    await page.getByRole('heading', { name: '¿Cómo quiere pagar?' }).waitFor()
    expect(await page.title()).toContain('Listo para pagar')
    expect(await part('language').inputValue()).toBe('es')
  })

  it('shows the way back to the shop', async () => {
    const success_url = 'https://shop.example/thanks'
    const { part, untilStatus } = await openOrder(harness, {}, { success_url, cancel_url: 'http://localhost:9/basket' })
    expect(await part('return').getAttribute('href')).toBe('http://localhost:9/basket')
    await payPix(harness, await askForPix({ part, untilStatus }))
    await untilStatus('received', 'paid')
    expect(await part('return').getAttribute('href')).toMatch(`${success_url}?payment_id=`)
  })

  it.each([
    // A telephone's width at twice the size.
    { width: 195, locale: 'en-US' },
    { width: 320, locale: 'pt-BR' },
    { width: 390, locale: 'en-US' },
    { width: 1280, locale: 'pt-BR' },
  ])('has room for all that stands there, and breaks no sum: %j', async ({ width, locale }) => {
    const { page, part } = await openOrder(harness, { viewport: { width, height: 844 }, locale })
    const box = async (name: string) => (await part(name).boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN }
    /** How many lines an element's text takes. */
    const lines = (name: string) =>
      part(name).evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
      })
    expect(await lines('amount')).toBe(1)
    const panel = await page.locator('.panel').boundingBox()
    const right = (panel?.x ?? NaN) + (panel?.width ?? NaN)
    for (const method of ['pix', 'card', 'wallet', 'address']) {
      const { x, width: wide } = await box(`method-${method}`)
      expect(x + wide).toBeLessThan(right - 16)
    }
    await part('method-address').click()
    await part('pay').click()
    await part('address-amount-copy').waitFor()
    const covered = await part('address-amount-copy').evaluate((button) => {
      const { left, top, right, bottom } = button.getBoundingClientRect()
      return Array.from(button.parentElement?.childNodes ?? []).flatMap((node) => {
        if (node === button || (node as Element).className === 'unseen') return []
        const range = document.createRange()
        range.selectNode(node)
        const isUnder = (text: DOMRect): boolean =>
          text.right > left && text.left < right && text.bottom + 4 > top && text.top < bottom
        return Array.from(range.getClientRects()).some(isUnder) ? [node.textContent] : []
      })
    })
    expect(covered).toEqual([])
    // The sum and its token may stand below each other.
    expect(await lines('address-amount')).toBeLessThanOrEqual(width < 320 ? 2 : 1)
  })

  it('does not jump while it loads', async () => {
    const { address } = await pageOfOrder(harness)
    const prepare = async (context: BrowserContext): Promise<void> => {
      await context.addInitScript(() => {
        const shifts: number[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
        }).observe({ type: 'layout-shift', buffered: true })
      })
    }
    const { page } = await openPage(address, { prepare })
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const shift = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    )
    expect(shift).toBeLessThan(0.05)
  })
})
