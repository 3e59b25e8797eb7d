import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { noBrowser, openPage, usesBrowser, type OpenedPage } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { askForPix, CARD_PAYER, openOrder, pageOfOrder, payPix, PIX_PAYER } from '../harness/payment-page.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()
const cardHost = new URL(harness.cardUrl).host
const REFUSED = '4000000000000028'

const isBad = ({ part }: OpenedPage, name: string): Promise<string | null> => part(name).getAttribute('aria-invalid')

async function openCard(locale = 'en-US'): Promise<OpenedPage> {
  const opened = await openOrder(harness, { hosts: [cardHost], locale })
  await opened.part('method-card').click()
  await opened.part('card-number').waitFor()
  return opened
}

describe.skipIf(noBrowser)(`a payer who types${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('is told of a wrong field as he leaves it, not before, and no more once it is right', async () => {
    const opened = await openCard()
    const { page, part } = opened
    await part('card-email').fill('ana@')
    expect(await isBad(opened, 'card-email')).toBe('false')
    await part('card-phone').focus()
    await page.getByText('This is not a complete e-mail address.').waitFor()
    // What is empty is not wrong yet.
    await part('card-zipcode').focus()
    expect(await isBad(opened, 'card-phone')).toBe('false')
    await part('card-email').fill('ana@example.com')
    await part('card-email').and(page.locator('[aria-invalid="false"]')).waitFor()
  })

  it('is told of a card number that cannot exist as soon as it is whole', async () => {
    const opened = await openCard()
    const { page, part } = opened
    await part('card-number').pressSequentially('400000000000001')
    expect(await isBad(opened, 'card-number')).toBe('false')
    await part('card-number').pressSequentially('1')
    await page.getByText('This card number is not right').waitFor()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('0')
    await part('card-number').and(page.locator('[aria-invalid="false"]')).waitFor()
  })

  it('sees no problem any more of a form that was empty and is filled in', async () => {
    const opened = await openCard()
    const { page, part } = opened
    await part('pay').click()
    await page.locator('[aria-invalid="true"]').first().waitFor()
    for (const [name, value] of Object.entries({ number: REFUSED, ...CARD_PAYER }))
      await part(`card-${name}`).fill(value)
    await page.locator('[aria-invalid="true"]').first().waitFor({ state: 'detached' })
  })

  it('mends a digit in the middle of a number, and goes on where he was', async () => {
    const { page, part } = await openCard()
    await part('card-number').pressSequentially('4000100000000010')
    for (let presses = 0; presses < 13; presses += 1) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('0')
    expect(await part('card-number').inputValue()).toBe('4000 0000 0000 0010')
    await part('card-holder').focus()
    expect(await part('card-number').getAttribute('aria-invalid')).toBe('false')
    await part('card-number').pressSequentially('x')
    expect(await part('card-number').inputValue()).toBe('4000 0000 0000 0010')
  })

  it('types nothing twice after a refused card, and has a Pix with what he has typed', async () => {
    const opened = await openCard()
    const { part, untilStatus } = opened
    for (const [name, value] of Object.entries({ number: REFUSED, ...CARD_PAYER }))
      await part(`card-${name}`).fill(value)
    await part('pay').click()
    await untilStatus('refused')
    await part('retry').click()
    for (const name of ['number', 'holder', 'street', 'city'])
      expect(await part(`card-${name}`).inputValue()).not.toBe('')
    // A security code is asked for each time.
    expect(await part('card-cvv').inputValue()).toBe('')
    await part('method-pix').click()
    expect(await part('pix-cpf').inputValue()).toBe(PIX_PAYER.cpf)
    await part('pay').click()
    await untilStatus('waiting')
    await payPix(harness, await part('pix-code').inputValue())
    await untilStatus('paid')
    expect(await opened.page.title()).toMatch(/^Paid · /)
    opened.assertClean()
  })
})

describe.skipIf(noBrowser)(`a payer who types before the script has come${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  /** The page as its server has drawn it, with a Pix's form filled in. */
  async function typedTooEarly(): Promise<OpenedPage & { address: string }> {
    const prepare = async (context: BrowserContext): Promise<void> => {
      await context.route('**/page-*.js', (route) => route.abort())
    }
    const opened = await openOrder(harness, { prepare })
    await opened.part('pix-cpf').fill(PIX_PAYER.cpf)
    await opened.part('pix-email').fill(PIX_PAYER.email)
    return opened
  }

  it('sends nothing by the button or a key, and keeps what he has typed', async () => {
    const { page, part, address } = await typedTooEarly()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await part('pay').click()
    await part('pix-email').press('Enter')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(asked).toEqual([])
    expect(page.url()).toBe(address)
    expect(await part('pix-cpf').inputValue()).toBe(PIX_PAYER.cpf)
  })

  it('finds it there once the script has come, and pays', async () => {
    const [opened, arrived] = [Promise.withResolvers<Page>(), Promise.withResolvers<void>()]
    const prepare = async (context: BrowserContext): Promise<void> => {
      context.on('page', opened.resolve)
      await context.route('**/page-*.js', async (route) => {
        await arrived.promise
        await route.continue()
      })
    }
    const opening = openOrder(harness, { prepare })
    const page = await opened.promise
    await page.locator('[data-test="pix-cpf"]').fill(PIX_PAYER.cpf)
    await page.locator('[data-test="pix-email"]').fill(PIX_PAYER.email)
    arrived.resolve()
    const { part, untilStatus, assertClean } = await opening
    await part('pay').click()
    await untilStatus('waiting')
    assertClean()
  })

  it('has nothing of it in an address, in a browser that sends the form all the same', async () => {
    const { page, part } = await typedTooEarly()
    await part('pix-form').evaluate((form) => {
      form.removeAttribute('method')
    })
    const sent = page.waitForRequest((request) => request.isNavigationRequest())
    await part('pay').click()
    expect((await sent).url()).not.toMatch(/529|ana/)
  })
})

describe.skipIf(noBrowser)(`a payer who changes the language${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('keeps the way to pay that he has chosen, and what he has typed', async () => {
    const { page, part, assertClean } = await openCard()
    await part('card-number').fill(REFUSED)
    await part('card-holder').fill(CARD_PAYER.holder)
    await part('language').selectOption('pt')
    await page.getByRole('heading', { name: 'Como você quer pagar?' }).waitFor()
    expect(await part('method-card').getAttribute('aria-pressed')).toBe('true')
    expect(await part('card-holder').inputValue()).toBe(CARD_PAYER.holder)
    expect(await part('card-number').inputValue()).toBe('4000 0000 0000 0028')
    expect(await page.locator('html').getAttribute('lang')).toBe('pt')
    // The choice stays when the page is loaded again.
    await page.reload()
    expect(await part('language').inputValue()).toBe('pt')
    assertClean()
  })

  it('gets the language also where it cannot be had without a new page', async () => {
    const { page, part } = await openCard()
    await page.route('**/pay/*?lang=*', (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.fulfill({ body: 'busy', status: 503 }),
    )
    await part('language').selectOption('es')
    await page.getByRole('heading', { name: '¿Cómo quiere pagar?' }).waitFor()
  })
})

describe.skipIf(noBrowser)(`a payer at the keyboard${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const focused = (page: Page): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.getAttribute('data-test') ?? document.activeElement?.className ?? null)

  it('is where he goes on after a refused card, and after he has chosen to try again', async () => {
    const { page, part, untilStatus } = await openCard()
    for (const [name, value] of Object.entries({ number: REFUSED, ...CARD_PAYER }))
      await part(`card-${name}`).fill(value)
    await part('card-state').press('Enter')
    await untilStatus('refused')
    await page.waitForFunction(() => document.activeElement?.matches('.panel'))
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('retry')
    await page.keyboard.press('Enter')
    await part('card-number').waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('.panel'))
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('method-pix')
  })

  it('stays at the button that was refused', async () => {
    const { page, part } = await openOrder(harness, { locale: 'en-US', expected: /Failed to load/ })
    await page.route('**/pix', (route) => route.fulfill({ status: 429, json: { error: { code: 'rate_limited' } } }))
    await part('pix-cpf').fill(PIX_PAYER.cpf)
    await part('pix-email').fill(PIX_PAYER.email)
    await part('pay').press('Enter')
    await page.getByText('Too many tries').waitFor()
    expect(await focused(page)).toBe('pay')
  })
})

describe.skipIf(noBrowser)(`a payer on a telephone${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('has the button that copies his Pix in view, though many items stand above', async () => {
    const order_items = Array.from({ length: 20 }, (_, index) => ({ name: `Item ${index + 1}`, quantity: 1 }))
    const { page, part, untilStatus } = await openOrder(harness, {}, { order_items })
    expect(await page.getByText('Item 20').isVisible()).toBe(false)
    await part('more-items').click()
    expect(await page.getByText('Item 20').isVisible()).toBe(true)
    await askForPix({ part, untilStatus })
    await part('pix-copy').waitFor()
    const box = await part('pix-copy').boundingBox()
    expect(box && box.y >= 0 && box.y + box.height <= 844).toBe(true)
  })

  it('gets what the page could not load at first', async () => {
    const { address } = await pageOfOrder(harness)
    let isDown = true
    const { page, part } = await openPage(address, { expected: /ERR_FAILED|Failed to load/ })
    await page.route('**/card-panel-*', (route) => (isDown ? route.abort() : route.continue()))
    await part('method-card').click()
    await page.locator('.loading').waitFor()
    isDown = false
    await part('card-number').waitFor()
  })
})
