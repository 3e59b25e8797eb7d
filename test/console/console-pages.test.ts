import { describe, expect, it } from 'vitest'
import { violations } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { assertPagesReadable, openAsOwner, openConsole, TRUSTED_ONLY } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const harness = await startHarness(TRUSTED_ONLY)
const { tenant } = harness
usesBrowser()

const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })

describe.skipIf(noBrowser)(`the console's pages${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each(['light', 'dark'] as const)('have nothing that axe finds wrong: %s', async (colorScheme) => {
    const id = await tenant.register({ order_code: order })
    const signIn = await openConsole(harness, '', { colorScheme })
    await signIn.part('email').waitFor()
    expect(await violations(signIn.page)).toEqual([])
    const opened = await openAsOwner(harness, '', { colorScheme })
    const pages = { '': 'payments', [`/payments/${id}`]: 'history', '/orders': 'orders', '/orders/new': 'preview' }
    await assertPagesReadable(opened, {
      ...pages,
      '/overview': 'overview',
      '/webhooks': 'endpoint-list',
      '/statement': 'export',
      '/keys': 'new-key',
    })
    opened.assertClean()
  })

  it('keep their filters in the address, which survives the sign-in, and show what fits', async () => {
    const id = await tenant.register({ order_code: order, metadata: { basket: 'b-4711' } })
    const { page, part, goTo } = await openAsOwner(harness, '/?search=b-4711')
    const row = page.locator('[data-test="payments"] [data-test="row"]')
    await row.waitFor()
    expect(await row.getAttribute('data-id')).toBe(id)
    await part('filter-status').selectOption('SUCCESS')
    await row.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('status')).toBe('SUCCESS')
    await page.goBack()
    await row.waitFor()
    // What is no filter is none.
    await goTo('/?status=NONSENSE&search=b-4711')
    await row.waitFor()
  })

  it.each(['120.00', '120,00', 'R$ 120', '120'])('find a payment by its amount, written %s', async (typed) => {
    const id = await tenant.register({ amount_from: '120.00' })
    const other = await tenant.register({ order_code: order })
    const { page, part, assertClean } = await openAsOwner(harness)
    const row = (of: string) => page.locator(`[data-test="payments"] [data-test="row"][data-id="${of}"]`)
    await row(other).waitFor()
    await part('filter-amount').fill(typed)
    await part('filter-amount').press('Enter')
    await row(other).waitFor({ state: 'detached' })
    await row(id).waitFor()
    // What can be nothing but an amount is one where people look first, too.
    await part('filter-clear').click()
    await row(other).waitFor()
    await part('filter-search').fill('R$ 120,00')
    await part('filter-search').press('Enter')
    await row(other).waitFor({ state: 'detached' })
    await row(id).waitFor()
    expect(await part('filter-amount').inputValue()).toBe('R$ 120,00')
    await part('filter-amount').fill('much')
    await part('filter-amount').press('Enter')
    await page.getByText('This is no amount').waitFor()
    assertClean()
  })

  it('show another tenant nothing, by whatever address', async () => {
    const id = await tenant.register({ order_code: order })
    const other = await harness.dashboard.newTenant()
    const { page, part } = await openAsOwner(harness, `/payments/${id}`, { of: other })
    await page.getByText('There is no such payment.').or(part('refusal')).first().waitFor()
    expect(await page.content()).not.toContain('149')
    expect(await part('history').count()).toBe(0)
  })

  it('cancel a payment after a question, and send a delivery again', async () => {
    const id = await tenant.register({ order_code: order })
    const { page, part, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    await part('cancel-payment').click()
    await part('confirm').click()
    await page.locator('[data-test="status"][data-status="ERROR"]').first().waitFor()
    const sent = () => harness.hooks.of(id)
    await until('the event was sent', () => sent().length >= 2)
    const before = sent().length
    await page.reload()
    await part('open-delivery').first().click()
    await page.locator('[data-test="attempts"]').getByText('204').first().waitFor()
    await part('replay').click()
    await until('the event was sent again', () => sent().length > before)
    assertClean()
  })

  it('speak the language that was chosen, and end the session on the server', async () => {
    const { page, part, context } = await openAsOwner(harness)
    await part('language').selectOption('pt')
    await page.getByRole('heading', { name: 'Pagamentos' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('pt-BR')
    await page.reload()
    await page.getByRole('heading', { name: 'Pagamentos' }).waitFor()
    const cookies = await context.cookies()
    await part('sign-out').click()
    await part('email').waitFor()
    // Whoever kept the cookie has nothing.
    await context.addCookies(cookies)
    await page.reload()
    await part('email').waitFor()
  })
})
