import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESKTOP, noBrowser, openPage, PHONE, usesBrowser } from '../../test/harness/browser.js'
import { startHarness } from '../../test/harness/harness.js'
import { until } from '../../test/harness/until.js'
import { SAVED_OPERATIONS } from './saved-operations.js'

const nameOf = (query: string): string => /(?:query|mutation|subscription) (\w+)/.exec(query)?.[1] ?? ''

const CLICK_LOST_AFTER_MS = 5_000

/** Whether a request runs what is in the editor; GraphiQL reads the schema besides. */
function isOperation(request: Request): boolean {
  const sent = request.postData() ?? request.url()
  return (
    new URL(request.url()).pathname === '/graphql' && sent.includes('query') && !sent.includes('IntrospectionQuery')
  )
}

/** Puts the key between the last two quotes of the headers, where the page has left room for it. */
async function giveKey(page: Page, key: string): Promise<void> {
  await page.locator('.graphiql-editor-tool .view-lines').filter({ visible: true }).click()
  for (const press of ['Control+End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(press)
  await page.keyboard.insertText(key)
}

const harness = await startHarness()

describe.skipIf(noBrowser)(`GraphiQL in a browser (${noBrowser ?? 'runs here'})`, () => {
  usesBrowser()

  it('opens with operations that run as they stand, and remembers the key until the window is closed', async () => {
    await harness.tenant.createOrder()
    const viewport = { width: 1280, height: 800 }
    // Without a key the schema is not told.
    const { page, assertClean } = await openPage(`${harness.url}/graphql`, { viewport, expected: /403/ })
    /** The editor writes spaces that do not break, and the lines that are in view. */
    const untilIn = (window: string, what: RegExp) =>
      until(`${what} in ${window}`, async () => {
        const shown = await page.locator(`${window} .view-lines`).innerText()
        return what.test(shown.replaceAll('\u00a0', ' '))
      })
    const untilShown = (what: RegExp) => untilIn('.result-window', what)
    const tab = async (name: string) => {
      await page.locator('.graphiql-tab-button', { hasText: name }).click()
      await untilIn('.graphiql-query-editor', new RegExp(` ${name}\\b`))
    }
    /** On a busy machine GraphiQL loses a click that comes right after a tab was shown: whoever clicked would click again. */
    const run = () =>
      until('something is sent', async () => {
        const sent = page.waitForRequest(isOperation, { timeout: CLICK_LOST_AFTER_MS }).catch(() => undefined)
        await page.getByRole('button', { name: 'Execute query' }).click()
        return sent
      })

    await giveKey(page, harness.tenant.key)
    await run()
    await untilShown(/"crypto": true/)
    await tab('Price')
    await run()
    await untilShown(/"price": "\d/)
    await page.reload()
    await tab('MakeOrder')
    await run()
    await untilShown(/"amountFrom": "54.2/)
    await tab('OrdersWithPayments')
    await run()
    await untilShown(/"totalCount": 2/)
    const id = await harness.tenant.register()
    await tab('WatchPayments')
    const opened = page.waitForResponse((answer) => answer.headers()['content-type']?.includes('event-stream') ?? false)
    await run()
    await opened
    await harness.tenant.post(`/payment/${id}/cancel`)
    await untilShown(new RegExp(`"id": "${id}"`))
    expect(SAVED_OPERATIONS.map(({ query }) => nameOf(query))).toEqual([
      'WhatIsEnabled',
      'Price',
      'MakeOrder',
      'OrdersWithPayments',
      'WatchPayments',
    ])
    const storage = await page.evaluate(() => JSON.stringify(globalThis.localStorage))
    expect(storage).not.toContain(harness.tenant.key)
    assertClean()
  })

  it.each([
    ['a desk', DESKTOP, 0],
    ['a desk, by a hand that moves a little', DESKTOP, 6],
    ['a phone', PHONE, 0],
  ])('shows each tab at its first press, and has room for all panes, on %s', async (_where, screen, moved) => {
    const { page } = await openPage(`${harness.url}/graphql`, { ...screen, expected: /403/ })
    const tabs = page.locator('.graphiql-tab-button')
    await tabs.nth(SAVED_OPERATIONS.length - 1).waitFor()
    // The letters of GraphiQL come after it has measured the tabs, and what is wrong with these is settled a picture later.
    await page.evaluate(async () => {
      await document.fonts.ready
      for (let picture = 0; picture < 3; picture += 1) await new Promise(requestAnimationFrame)
    })
    for (const { query } of SAVED_OPERATIONS.toReversed()) {
      const tab = tabs.filter({ hasText: nameOf(query) })
      await tab.scrollIntoViewIfNeeded()
      const { x = 0, y = 0, width = 0, height = 0 } = (await tab.boundingBox()) ?? {}
      await page.mouse.move(x + width / 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width / 2 + moved, y + height / 2, { steps: 6 })
      await page.mouse.up()
      await until(`${nameOf(query)} is shown`, async () =>
        (await page.locator('.graphiql-tab-active').innerText()).includes(nameOf(query)),
      )
    }
    expect((await tabs.allInnerTexts()).map((name) => name.trim())).toEqual(
      SAVED_OPERATIONS.map(({ query }) => nameOf(query)),
    )
    for (const pane of ['.graphiql-query-editor', '.graphiql-editor-tools', '.result-window']) {
      const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(pane).boundingBox()) ?? {}
      expect([pane, width > 300, height > 40]).toEqual([pane, true, true])
      expect([pane, x + width <= screen.viewport.width, y + height <= screen.viewport.height]).toEqual([
        pane,
        true,
        true,
      ])
    }
  })
})
