import { describe, expect, it } from 'vitest'
import { operationIdOf, type OpenApiDocument } from '../../rest-compat/openapi.js'
import { ROUTES } from '../../rest-compat/routes.js'
import { noBrowser, openPage, usesBrowser } from '../../test/harness/browser.js'
import { startHarness } from '../../test/harness/harness.js'

const harness = await startHarness()
usesBrowser()

const open = (hash = '', options: Parameters<typeof openPage>[1] = {}) =>
  openPage(`${harness.url}/docs/reference${hash}`, { locale: 'en-GB', ...options })

describe.skipIf(noBrowser)(`the REST reference in a browser${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)(
    'lists every operation and webhook of the document, and asks no other host: %i px, %s',
    async (width, colorScheme) => {
      const { page, assertClean } = await open('', { colorScheme, viewport: { width, height: 900 } })
      const { webhooks } = (await harness.rest('GET', '/openapi.json')).body as unknown as OpenApiDocument
      await page.locator('h1', { hasText: 'Payments API' }).waitFor()
      if (width < 1000) await page.getByRole('button', { name: 'Open Menu' }).click()
      const places = [
        ...ROUTES.map((route) => `#tag/${route.subgraph}/${operationIdOf(route)}`),
        ...Object.keys(webhooks).map((name) => `#tag/webhooks/webhook/${name}`),
      ]
      await page.locator(`a[href="${places.at(-1) ?? ''}"]:visible`).waitFor()
      const links = await page.$$eval('a[href^="#tag/"]', (all) => all.map((link) => link.getAttribute('href')))
      expect(places.filter((place) => !links.includes(place))).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      // The background follows the browser's theme, as the rest of the site does.
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      expect(Number(/\d+/.exec(background)?.[0]) < 128).toBe(colorScheme === 'dark')
      assertClean()
    },
  )

  it('opens at the operation that a search of the site has found, with its fields and a request', async () => {
    const { page, assertClean } = await open('', { viewport: { width: 1280, height: 900 } })
    await page.getByRole('searchbox').first().fill('refund')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'POST /payment/:id/refund', exact: true }).click()
    const section = page.locator('[id$="tag/payments/refundPayment"]')
    await section.getByText('requested_by_customer').first().waitFor()
    await page.waitForFunction(
      () =>
        Math.abs(document.querySelector('[id$="tag/payments/refundPayment"]')?.getBoundingClientRect().top ?? 9999) <
        200,
    )
    expect(await section.innerText()).toContain('x-api-key')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.waitForURL('**/docs')
    assertClean()
  })

  it('is searched and read with the keyboard alone', async () => {
    const { page, assertClean } = await open('', { viewport: { width: 1280, height: 900 } })
    await page.locator('a[href="#tag/payments/refundPayment"]').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('tokenize')
    await page
      .getByRole('option', { name: /card processor/ })
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**#tag/payments/tokenizeCard')
    assertClean()
  })

  it('runs in an origin of its own: it reads no cookie and no answer of the API', async () => {
    const { page } = await open('', { expected: /./ })
    const found = await page.evaluate(async () => ({
      origin: window.origin,
      cookie: await Promise.resolve()
        .then(() => document.cookie)
        .catch(() => 'none'),
      products: await fetch('/config/products').then(
        (answer) => answer.text(),
        () => 'refused',
      ),
      document: await fetch('/openapi.json').then((answer) => answer.status),
    }))
    expect(found).toEqual({ origin: 'null', cookie: 'none', products: 'refused', document: 200 })
  })
})
