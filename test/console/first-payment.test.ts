import type { Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { fundRefunds } from '../../subgraphs/payments/fixtures/refunds.js'
import { noBrowser, openPage, usesBrowser } from '../harness/browser.js'
import { openConsole, type OpenedConsole, proveAt, signUpAt, TRUSTED_ONLY } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { askForPix, payPix } from '../harness/payment-page.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ ...TRUSTED_ONLY, PORT: String(await findLastingPort()) })
usesBrowser()

const ordersRefund = (request: Request): boolean => request.postData()?.includes('49.90') === true

/** Whether a refund that is ordered by `press` is answered as it was before. */
async function answersFirst({ page }: OpenedConsole, press: () => Promise<void>): Promise<boolean> {
  const answer = page.waitForResponse((response) => ordersRefund(response.request()))
  await press()
  return (await (await answer).headerValue('idempotent-replayed')) === 'true'
}

/** Has the server make a refund and the page not hear of it, once. */
async function loseFirstRefund({ page }: OpenedConsole): Promise<void> {
  let isLost = false
  await page.route('**/graphql', async (route) => {
    if (isLost || !ordersRefund(route.request())) return route.fallback()
    const response = await route.fetch()
    isLost = !/proof_required/i.test(await response.text())
    return isLost ? route.fulfill({ contentType: 'text/plain', body: 'lost' }) : route.fulfill({ response })
  })
}

/** Makes a payment link in the console. @returns the address of its first payment's page */
async function makeLink({ part }: OpenedConsole): Promise<string> {
  await part('first-link').click()
  await part('order-item').fill('Coffee')
  await part('order-price').fill('149,90')
  await part('order-chain').selectOption('polygon')
  // What is wrong is said of its field.
  await part('receiver-wallet').fill('nobody')
  await part('create-order').click()
  await part('refusal').getByText('Receiver’s wallet: must be').waitFor()
  await part('receiver-wallet').fill(harness.chain.newReceiver())
  expect(await part('preview').innerText()).toContain('R$149.90')
  await part('create-order').click()
  await part('make-payment').click()
  const link = await part('pay-page').getAttribute('href')
  if (link === null) throw new Error('there is no link')
  return link
}

/** Pays a payment page by Pix, as its payer does. */
async function pay(link: string): Promise<void> {
  const { part, untilStatus } = await openPage(link)
  await part('method-pix').click()
  await payPix(harness, await askForPix({ part, untilStatus }))
  await untilStatus('paid')
}

/** The tenant that the browser looks at. */
async function tenantIdOf({ page }: OpenedConsole): Promise<string> {
  return page.evaluate(async () => {
    const answer = await fetch('/console/api/session')
    return ((await answer.json()) as { tenantId: string }).tenantId
  })
}

describe.skipIf(noBrowser)(`somebody new at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('comes from the sign-up to a first paid payment, which moves in the list by itself, and gives a part of it back', async () => {
    const email = 'owner@new.example'
    const opened = await openConsole(harness)
    const { page, part, assertClean } = opened
    await signUpAt(opened, harness, { email, tenant: 'Corner shop' })
    expect(await part('tenant-title').innerText()).toBe('Corner shop')
    const link = await makeLink(opened)
    await part('nav-payments').click()
    const row = page.locator('[data-test="payments"] [data-test="row"]')
    await row.locator('[data-status="REGISTERED"]').waitFor()
    await pay(link)
    await row.locator('[data-status="SUCCESS"]').waitFor()
    const id = (await row.getAttribute('data-id')) ?? ''
    await part('open-payment').click()
    expect(await part('payment-amount').innerText()).toBe('R$149.90')
    expect(await part('history').innerText()).toContain('The receivers are paid')
    // The receivers have theirs: the balance for refunds is empty, and says so.
    await part('refund-payment').click()
    await part('refund-amount').fill('49,90')
    await part('refund-do').click()
    await part('refusal').getByText('The balance for refunds').waitFor()
    expect((await fundRefunds(harness.databaseUrl, await tenantIdOf(opened), '200', id)).code).toBe(0)
    // Signing in was a proof; ten minutes later another one is wanted.
    harness.clock.advance(11 * 60_000)
    await loseFirstRefund(opened)
    await part('refund-do').click()
    await proveAt({ part }, harness, email)
    await part('refusal').getByText('could not be reached').waitFor()
    // It was made: asked for again in the same dialog it is the same refund, and in another dialog it is another.
    expect(await answersFirst(opened, () => part('refund-do').click())).toBe(true)
    await part('refunds').getByText('R$49.90').first().waitFor()
    await part('refund-payment').click()
    await part('refund-amount').fill('49,90')
    expect(await answersFirst(opened, () => part('refund-do').click())).toBe(false)
    await part('refunds').locator('[data-test="row"]').nth(1).waitFor()
    expect(await part('refunds').locator('[data-test="row"]').count()).toBe(2)
    assertClean()
  })
})
