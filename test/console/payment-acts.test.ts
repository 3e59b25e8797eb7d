import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { assertAccessible, violations } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { codeFor } from '../harness/console.js'
import { openAsOwner, openConsole, type OpenedConsole } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { payPix } from '../harness/payment-page.js'
import { underpaidPayment } from '../harness/underpaid.js'
import { until } from '../harness/until.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
const { tenant } = harness
usesBrowser()

/** The `data-test` of what has the focus, with whether it is seen to have it. */
async function focused({ page }: OpenedConsole): Promise<{ name: string | null; tag: string; isVisible: boolean }> {
  return page.evaluate(() => {
    const active = document.activeElement
    if (!(active instanceof HTMLElement)) return { name: null, tag: 'none', isVisible: false }
    const { outlineStyle, outlineWidth } = getComputedStyle(active)
    const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px'
    // Fields tell it by their border.
    const isField = active.matches('input, select')
    return {
      name: active.dataset['test'] ?? null,
      tag: active.tagName,
      isVisible: isField || (active.matches(':focus-visible') && hasOutline),
    }
  })
}

/** Presses Tab until a part has the focus; on the way it is always seen where it is. */
async function tabTo(opened: OpenedConsole, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const now = await focused(opened)
    if (now.name === name) return
    await opened.page.keyboard.press('Tab')
    const { name: at, tag, isVisible } = await focused(opened)
    // Behind the last part is the browser itself, and then the first again.
    if (tag !== 'BODY') expect([name, presses, at, tag, isVisible]).toEqual([name, presses, at, tag, true])
  }
  throw new Error(`Tab does not lead to ${name}`)
}

describe.skipIf(noBrowser)(`what is done about payments${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('takes the list that fits the filter along as a file, whole where it has several pages', async () => {
    const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
    const wanted = { order_code: order, metadata: { basket: 'b-4711' } }
    const ids = await Promise.all(Array.from({ length: 101 }, () => tenant.register(wanted)))
    await tenant.register({ order_code: order, metadata: { basket: 'other' } })
    const { page, part, assertClean } = await openAsOwner(harness, '/?search=b-4711')
    const download = page.waitForEvent('download')
    await part('export').click()
    const file = await download
    expect(file.suggestedFilename()).toBe('payments.csv')
    const [heading, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(heading).toMatch(/^id,createdAt,status,/)
    expect(lines.map((line) => line.split(',')[0]).toSorted()).toEqual(ids.toSorted())
    assertClean()
  })

  it('accepts what came of an underpaid payment, or asks where to give it back', async () => {
    const id = await underpaidPayment(harness)
    const { page, part, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    await part('give-back').click()
    await part('give-back-wallet').fill(harness.chain.newReceiver())
    await assertAccessible(page)
    await part('give-back-do').click()
    // Nothing is set aside for refunds: the server says so.
    await part('refusal').getByText('Needed: 18 USDT; there: 0 USDT. Pay in what is missing').waitFor()
    await page.keyboard.press('Escape')
    await part('accept-underpaid').click()
    const asked = page.getByRole('dialog').getByText('Asked for')
    await asked.waitFor()
    await page.getByRole('dialog').getByText('18 USDT', { exact: true }).waitFor()
    await assertAccessible(page)
    await part('confirm').click()
    await part('said').waitFor()
    await tenant.untilStatus(id, 'success')
    await page.locator('[data-test="status"][data-status="SUCCESS"]').first().waitFor()
    expect(await part('money').innerText()).toMatch(/Asked for\s+[\d.]+ USDT\s+Receives\s+18 USDT/)
    assertClean()
  })

  it('works by the keyboard alone, from the sign-in to a refund, with the focus seen and given back', async () => {
    const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
    const { id, charge } = await tenant.pixOfOrder(order)
    await payPix(harness, charge.pixCopiaECola)
    await tenant.untilStatus(id, 'success')
    const email = 'keys-only@example.com'
    await harness.dashboard.addMember(tenant, email, 'owner')
    const opened = await openConsole(harness, `/?search=${id}`)
    const { page, part, assertClean } = opened
    const { keyboard } = page
    await part('email').waitFor()
    await tabTo(opened, 'email')
    await keyboard.type(email)
    await keyboard.press('Enter')
    await part('code').waitFor()
    await tabTo(opened, 'code')
    await keyboard.type(await codeFor(harness, email))
    await keyboard.press('Enter')
    await part('open-payment').waitFor()
    await tabTo(opened, 'open-payment')
    await keyboard.press('Enter')
    await part('refund-payment').waitFor()
    await tabTo(opened, 'refund-payment')
    await keyboard.press('Enter')
    await part('refund-amount').waitFor()
    await tabTo(opened, 'refund-amount')
    await keyboard.type('1,00')
    await tabTo(opened, 'refund-do')
    await keyboard.press('Escape')
    await part('refund-do').waitFor({ state: 'detached' })
    await until('the focus is back', async () => (await focused(opened)).name === 'refund-payment')
    expect((await focused(opened)).isVisible).toBe(true)
    assertClean()
  })

  it('shows a subscription with its life and its payments, and pauses, resumes and ends it after a question', async () => {
    const order = await tenant.createOrder({
      payment_method_allowed: { pixcrypto: true },
      gateway_method: 'subs',
      subscription_payment_config: { plan_name: 'Gold', interval: 'monthly', charge: false, retry_count: 0 },
    })
    const { id, charge } = await tenant.pixOfOrder(order)
    await payPix(harness, charge.pixCopiaECola)
    await tenant.untilStatus(id, 'success')
    const { page, part, assertClean } = await openAsOwner(harness, '/subscriptions')
    await part('open-subscription').first().click()
    await part('history').waitFor()
    expect(await page.locator(`[data-test="payments"] [data-id="${id}"]`).count()).toBe(1)
    await assertAccessible(page)
    for (const [act, status] of [
      ['pause', 'PAUSED'],
      ['resume', 'ACTIVE'],
    ]) {
      await part(`${act}-subscription`).click()
      await part('confirm').click()
      await page.locator(`[data-test="status"][data-status="${status}"]`).first().waitFor()
      expect([act, await violations(page)]).toEqual([act, []])
    }
    await part('cancel-subscription').click()
    await part('confirm').click()
    await page.locator('[data-test="status"][data-status="CANCELED"]').first().waitFor()
    assertClean()
  })

  it('shows what the simulators ask for of a Pix, which pays the payment that is looked at', async () => {
    const terms = { payment_method_allowed: { pixcrypto: true } }
    const { id } = await tenant.pixOfOrder(await tenant.createOrder(terms))
    const { page, part, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    await part('sandbox-section').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await part('sandbox-link').getAttribute('href')).toBe('/sandbox')
    await payPix(harness, await part('sandbox-code').inputValue())
    await page.locator('[data-test="status"][data-status="SUCCESS"]').first().waitFor({ timeout: 60_000 })
    await part('receivers').locator('[data-status="PAID"]').waitFor()
    expect(await violations(page)).toEqual([])
    assertClean()
  })
})
