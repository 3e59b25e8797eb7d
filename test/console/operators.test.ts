import { describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { openPaymentsDatabase } from '../../subgraphs/payments/context.js'
import { alertsStore } from '../../subgraphs/payments/store/alerts.js'
import { ending } from '../harness/at-end.js'
import { assertReadable } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { assertPagesReadable, openAs, type OpenedConsole, proveAt } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { payPix } from '../harness/payment-page.js'
import { until } from '../harness/until.js'

const [ANA, BIA, CLEO, DORA] = ['ana@ops.example', 'bia@ops.example', 'cleo@ops.example', 'dora@ops.example']
const harness = await startHarness({
  // Pix calls back to the address that the product says it has.
  PORT: String(await findLastingPort()),
  OPERATOR_EMAILS: [ANA, BIA, CLEO, DORA].join(','),
  OPERATOR_TWO_PEOPLE_ABOVE: 'USDT=1',
})
const { tenant } = harness
usesBrowser()

const log = createLog('silent')
const db = ending(await openPaymentsDatabase({ url: harness.databaseUrl, poolSize: 2, log }))
const alerts = alertsStore(db, harness.clock, log)

async function openOperator(email: string, path = '', options = {}): Promise<OpenedConsole> {
  const opened = await openAs(harness, email, path, options)
  await opened.part('nav-alerts').waitFor({ state: 'attached' })
  return opened
}

const PAGES = {
  '/operators/alerts': 'alerts',
  '/operators/payouts': 'proposals',
  '/operators/decisions': 'no-decisions',
  '/operators/treasury': 'chain',
  '/operators/differences': 'no-differences',
  '/operators/tenants': 'tenants',
  [`/operators/tenants/${tenant.id}`]: 'set-limits',
  '/operators/audit': 'audit',
  '/operators/providers': 'providers',
  '/operators/jobs': 'reconciliations',
}

describe.skipIf(noBrowser)(`an operator at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each(['light', 'dark'] as const)('has pages in which axe finds nothing wrong: %s', async (colorScheme) => {
    await alerts.raise({ kind: 'deposit_unexpected', subject: 'polygon:0x01', details: 'another token' })
    const opened = await openOperator(ANA, '/operators/alerts', { colorScheme })
    await assertPagesReadable(opened, PAGES)
    await opened.part('language').selectOption('pt')
    await opened.page.getByRole('heading', { name: 'Tarefas' }).first().waitFor()
    opened.assertClean()
  })

  it('closes an alert for a reason, which stays with the name', async () => {
    await alerts.raise({ kind: 'forced_return', subject: 'cpayment', details: 'a chargeback' })
    // Signing in leads to what has to be looked at.
    const { page, part, assertClean } = await openOperator(ANA)
    const row = page.locator('[data-test="alerts"] [data-test="row"]', { hasText: 'took money back by force' })
    await row.getByRole('button').click()
    await part('reason').fill('settled with the tenant')
    await part('do').click()
    await row.waitFor({ state: 'detached' })
    await part('filter-state').selectOption('CLOSED')
    await row.waitFor()
    expect(await row.innerText()).toContain('settled with the tenant')
    expect(await row.innerText()).toContain(ANA)
    assertClean()
  })

  it('sets a delay after a proof; a payout that waits for it needs two people to be released', async () => {
    const ana = await openOperator(ANA, '/operators/tenants')
    await ana.part('search-tenants').fill(tenant.id)
    await ana.part('search-tenants').press('Enter')
    // The address changes before the list does: what is clicked is the tenant that was looked for.
    await ana.page.waitForURL(/search=/)
    await ana.page.locator(`[data-test="open-tenant"][href$="${tenant.id}"]`).click()
    await ana.part('set-delay-hours').waitFor()
    await ana.part('set-delay-hours').fill('24')
    // Signing in was a proof; ten minutes later another one is wanted.
    harness.clock.advance(11 * 60_000)
    await ana.part('set-delay-save').click()
    await proveAt(ana, harness, ANA)
    await ana.part('delays').getByText('24 h').waitFor()

    const terms = { payment_method_allowed: { pixcrypto: true } }
    const { id, charge } = await tenant.pixOfOrder(await tenant.createOrder(terms))
    await payPix(harness, charge.pixCopiaECola)
    const row = ana.page.locator(`[data-test="payouts"] [data-id="${id} 0"]`)
    await until('the payout waits', async () => {
      await ana.goTo('/operators/payouts')
      await row.or(ana.part('no-payouts')).waitFor()
      return (await row.count()) > 0
    })
    expect(await row.locator('[data-test="why"]').getAttribute('data-why')).toBe('DELAY')
    await row.getByRole('button').click()
    await ana.part('reason').fill('the tenant needs it today')
    await ana.part('do').click()
    await ana.part('said').getByText('Another operator').waitFor()
    // The same person again is no second one.
    await ana.part('decide-same').click()
    await ana.part('reason').fill('I insist')
    await ana.part('do').click()
    await ana.part('reason').waitFor({ state: 'detached' })
    expect((await tenant.statusOf(id))['status']).toBe('pending')

    const bia = await openOperator(BIA, '/operators/payouts')
    await bia.part('proposals').getByText(ANA).waitFor()
    await bia.part('decide-same').click()
    await bia.part('reason').fill('seen the order')
    await bia.part('do').click()
    await bia.part('said').getByText('It is decided.').waitFor()
    await tenant.untilStatus(id, 'success')
    await bia.part('nav-decisions').click()
    const decided = bia.page.locator('[data-test="decisions"] [data-test="row"]', { hasText: id })
    await decided.waitFor()
    expect(await decided.innerText()).toContain(ANA)
    expect(await decided.innerText()).toContain(BIA)
    ana.assertClean()
    bia.assertClean()
  })

  it('shows what each account of a treasury has, where there are several', async () => {
    const { page, part, goTo, assertClean } = await openOperator(CLEO)
    const second = `0x${'5e'.repeat(20)}`
    await page.route('**/graphql', async (route) => {
      if (route.request().headers()['accept'] === 'text/event-stream') return route.fallback()
      const response = await route.fetch()
      const body = (await response.json()) as { data?: { treasury?: { chainName: string; accounts: object[] }[] } }
      const polygon = body.data?.treasury?.find(({ chainName }) => chainName === 'polygon')
      polygon?.accounts.push({ account: second, balances: [{ symbol: 'USDT', balance: '1234.5' }] })
      return route.fulfill({ response, json: body })
    })
    await goTo('/operators/treasury')
    await part('treasury-accounts').waitFor()
    const row = part('treasury-accounts').locator(`[data-id="${second}"]`)
    expect(await row.locator('[data-column="USDT"]').innerText()).toContain('1,234.5')
    // A token that this account does not tell of.
    expect(await row.locator('[data-column="POL"]').innerText()).toContain('unknown')
    await assertReadable(page, 'a treasury of several accounts')
    expect(await part('treasury-accounts').count()).toBe(1)
    assertClean()
  })

  it('sets what is taken of a tenant’s payments, and marks and names the field that cannot be what was typed', async () => {
    // What is no number GraphQL itself refuses.
    const expected = /status of 40[01]/
    const opened = await openOperator(CLEO, `/operators/tenants/${tenant.id}`, { expected })
    const { page, part, assertClean } = opened
    for (const [field, label, typed] of [
      ['fixed', 'Fixed, in the currency charged', 'abc'],
      ['spreadPercent', 'Spread %', 'x'],
      ['percent', 'Percent', '101'],
    ] as const) {
      const before = await part(`set-fees-${field}`).inputValue()
      await part(`set-fees-${field}`).fill(typed)
      await part('set-fees-save').click()
      await part('set-fees')
        .locator('[data-test="refusal"]', { hasText: `${label}: ` })
        .waitFor()
      const marked = part('set-fees').locator('[aria-invalid="true"]')
      expect(await marked.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['test']))).toEqual([
        `set-fees-${field}`,
      ])
      await part(`set-fees-${field}`).fill(before)
    }
    await assertReadable(page, 'a field that is marked')
    assertClean()
  })

  it('pauses payouts and resumes them, and switches a tenant off and on', async () => {
    const { page, part, goTo, assertClean } = await openOperator(CLEO, '/operators/treasury')
    await part('pause').click()
    await part('pause-chain').selectOption('polygon')
    await part('reason').fill('the node is odd')
    await part('do').click()
    await part('pauses').getByText('the node is odd').waitFor()
    await part('resume').click()
    await part('confirm').click()
    await part('pauses').getByText('the node is odd').waitFor({ state: 'detached' })
    await goTo(`/operators/tenants/${tenant.id}`)
    const asTenant = async () => (await tenant.get('/order/list')).status
    for (const [word, status] of [
      ['Disabled', 401],
      ['Active', 200],
    ] as const) {
      await part('change-state').click()
      await part('confirm').click()
      await part('tenant-state').getByText(word).waitFor()
      harness.clock.advance(5_000)
      expect([word, await asTenant()]).toEqual([word, status])
    }
    await page.getByLabel('Verification').uncheck()
    await part('save-products').click()
    await part('products').getByText('Saved.').waitFor()
    // What a key may use is kept for a moment.
    harness.clock.advance(5_000)
    expect((await harness.graphql('{ products { kyc pix } }', {}, { as: tenant })).body.data).toEqual({
      products: { kyc: false, pix: true },
    })
    assertClean()
  })

  it('sees no page of a tenant, and a tenant none of an operator', async () => {
    const dora = await openOperator(DORA, '/orders')
    await dora.page.getByText('There is nothing at this address.').waitFor()
    const owner = await openAs(harness, 'owner@example.com', '/operators/tenants', { role: 'owner' })
    await owner.part('tenant-title').waitFor()
    await owner.page.getByText('There is nothing at this address.').waitFor()
    expect(await owner.part('nav-alerts').count()).toBe(0)
  })
})
