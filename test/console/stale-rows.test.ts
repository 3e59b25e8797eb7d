import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAs, openAsOwner } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const ANA = 'ana@ops.example'
const harness = await startHarness({ OPERATOR_EMAILS: ANA })
const { tenant } = harness
usesBrowser()

/** Holds every question to the graph back until it is let go, but for streams. @returns how many were, and what lets them go */
async function holdAnswers(page: Page): Promise<{ held: () => number; letGo: () => void }> {
  const gate = Promise.withResolvers<undefined>()
  let held = 0
  await page.route('**/graphql', async (route) => {
    if (route.request().headers()['accept'] !== 'text/event-stream') {
      held += 1
      await gate.promise
    }
    await route.fallback()
  })
  return {
    held: () => held,
    letGo: () => {
      gate.resolve(undefined)
    },
  }
}

/** Counts from now on how often rows were dimmed, however shortly. @returns how often so far */
async function watchDimmed(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.body.dataset['dimmed'] = '0'
    new MutationObserver((changes) => {
      const dimmed = changes.filter(({ target }) => (target as Element).getAttribute('aria-busy') === 'true').length
      document.body.dataset['dimmed'] = String(Number(document.body.dataset['dimmed']) + dimmed)
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-busy'] })
  })
  return () => page.evaluate(() => Number(document.body.dataset['dimmed']))
}

/** How much of the rows can be seen. */
const opacityOf = (page: Page): Promise<number> =>
  page.locator('.scroll tbody').evaluate((rows) => Number(getComputedStyle(rows).opacity))

describe.skipIf(noBrowser)(`the rows of a list${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('are dimmed while others are asked for, and not because something changed elsewhere', async () => {
    const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
    const id = await tenant.register({ order_code: order })
    const { page, part, assertClean } = await openAsOwner(harness)
    const row = page.locator(`[data-test="payments"] [data-id="${id}"]`)
    await row.waitFor()
    const [quiet, busy] = ['false', 'true'].map((is) => page.locator(`.scroll[aria-busy="${is}"]`))
    await quiet?.waitFor()

    // A payment that is canceled has the list asked anew by itself, once the page listens.
    const live = await holdAnswers(page)
    let other = ''
    await until('the list is asked anew', async () => {
      other = await tenant.register({ order_code: order })
      await tenant.post(`/payment/${other}/cancel`)
      // One a second: the row that is looked at stays on the list's first page.
      const isAsked = until('the list is asked', () => live.held() > 0, 1_000)
      return isAsked.catch(() => false)
    })
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await busy?.count()).toBe(0)
    live.letGo()
    await page.locator(`[data-test="payments"] [data-id="${other}"]`).waitFor()
    await quiet?.waitFor()

    const answers = await holdAnswers(page)
    await part('filter-status').selectOption('SUCCESS')
    await busy?.waitFor()
    await until('the old rows are dimmed', async () => (await opacityOf(page)) < 1)
    expect(await row.count()).toBe(1)
    answers.letGo()
    await row.waitFor({ state: 'detached' })
    await part('filter-clear').click()
    await row.waitFor()
    await quiet?.waitFor()
    await until('the rows are clear again', async () => (await opacityOf(page)) === 1)
    assertClean()
  })

  it('are dimmed while the person asks again', async () => {
    const opened = await openAs(harness, ANA, '/operators/treasury')
    const { page, part, assertClean } = opened
    await page.locator('.scroll[aria-busy="false"]').first().waitFor()
    const answers = await holdAnswers(page)
    await part('again').click()
    await page.locator('.scroll[aria-busy="true"]').first().waitFor()
    answers.letGo()
    await page.locator('.scroll[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await page.locator('.scroll[aria-busy="false"]').first().waitFor()
    assertClean()
  })

  it('are dimmed with their own question alone, where a page has several', async () => {
    const { page, part, assertClean } = await openAsOwner(harness, '/webhooks')
    const rowsOf = (name: string) => page.locator('.scroll').filter({ has: part(name) })
    await part('endpoint-list').waitFor()
    await page.locator('.scroll[aria-busy="false"] [data-test="delivery-list"]').waitFor()
    const answers = await holdAnswers(page)
    await part('filter-state').selectOption('DELIVERED')
    await page.locator('.scroll[aria-busy="true"] [data-test="delivery-list"]').waitFor()
    expect(await rowsOf('endpoint-list').getAttribute('aria-busy')).toBe('false')
    answers.letGo()
    await page.locator('.scroll[aria-busy="false"] [data-test="delivery-list"]').waitFor()
    assertClean()
  })

  it('are not dimmed where the deliveries of a payment go on by themselves', async () => {
    const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
    const id = await tenant.register({ order_code: order })
    const { page, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    const delivered = page.locator('[data-test="delivery-list"] [data-status="DELIVERED"]')
    await delivered.waitFor()
    await page.locator('.scroll[aria-busy="true"]').waitFor({ state: 'detached' })
    const dimmed = await watchDimmed(page)
    await tenant.post(`/payment/${id}/cancel`)
    await delivered.nth(1).waitFor()
    expect(await dimmed()).toBe(0)
    assertClean()
  })
})
