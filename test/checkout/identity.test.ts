import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { violations } from '../harness/axe.js'
import { DESKTOP, noBrowser, type OpenedPage, openPage, PHONE, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { mailsTo } from '../harness/mailbox.js'
import { CARD_PAYER, payPix, PIX_PAYER } from '../harness/payment-page.js'
import { newEmail, newestCode } from '../harness/rest-kyc.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()
const cardHost = new URL(harness.cardUrl).host

/** The page of a payment that was not registered from an order: its payer has to be known. */
async function pageOfStranger(): Promise<string> {
  const id = await harness.tenant.register({
    payment_method_allowed: { pixcrypto: true, cardcrypto: true },
  })
  return `${harness.url}${await harness.tenant.pagePath(id)}`
}

async function askForPix({ part }: OpenedPage, email: string): Promise<void> {
  await part('pix-cpf').fill(PIX_PAYER.cpf)
  await part('pix-email').fill(email)
  await part('pay').first().click()
}

/** Types the code that was sent, once one was. */
async function proveByCode({ part }: OpenedPage, email: string): Promise<void> {
  await part('identity-send').click()
  await part('identity-code').waitFor()
  await part('identity-code').fill(await newestCode(harness, email))
  await part('identity').locator('[data-test="pay"]').click()
}

/** Goes through the hosted page, as its visitor. */
async function decide({ context, part }: OpenedPage, button: string): Promise<void> {
  const [hosted] = await Promise.all([context.waitForEvent('page'), part('identity-open').click()])
  await hosted.getByRole('button', { name: button, exact: true }).click()
  await hosted.getByText('You can close this page').waitFor()
  await hosted.close()
}

describe.skipIf(noBrowser)(`a payer whom the shop has to know${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([PHONE, DESKTOP])('proves his identity on the page, and then pays by Pix: %j', async (size) => {
    const email = newEmail()
    const hosts = [new URL(harness.kycUrl).host]
    const opened = await openPage(await pageOfStranger(), { ...size, hosts, expected: /403/ })
    const { page, part, untilStatus, assertClean } = opened
    await askForPix(opened, email)
    await part('identity-send').waitFor()
    expect(await violations(page)).toEqual([])
    await proveByCode(opened, email)
    await part('identity-open').waitFor()
    expect((await mailsTo(harness, email)).map(({ subject }) => subject)).toEqual(['O seu código de verificação'])
    expect(await violations(page)).toEqual([])
    await decide(opened, 'Approve')
    await untilStatus('waiting')
    await payPix(harness, await part('pix-code').inputValue())
    await untilStatus('paid')
    expect(page.url()).not.toContain(encodeURIComponent(email))
    assertClean()
  })

  it.each([PHONE, DESKTOP])('goes on where he was when the page is loaded again: %j', async (size) => {
    const email = newEmail()
    const hosts = [new URL(harness.kycUrl).host]
    const opened = await openPage(await pageOfStranger(), { ...size, hosts, expected: /403/ })
    const { page, part, untilStatus, assertClean } = opened
    const kept = () =>
      page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]))
    await askForPix(opened, email)
    await part('identity-send').waitFor()
    await page.reload()
    await part('identity-send').click()
    await part('identity-code').waitFor()
    await page.reload()
    await part('identity-code').waitFor()
    expect(await violations(page)).toEqual([])
    const code = await newestCode(harness, email)
    await part('identity-code').fill(code)
    await part('identity').locator('[data-test="pay"]').click()
    await part('identity-open').waitFor()
    expect(await mailsTo(harness, email)).toHaveLength(1)
    const [cookie] = await opened.context.cookies(page.url())
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: new URL(page.url()).pathname })
    expect(await kept()).toContain(email)
    for (const secret of [code, cookie?.value ?? '?', PIX_PAYER.cpf]) expect(await kept()).not.toContain(secret)
    await page.reload()
    await part('identity-open').waitFor()
    await decide(opened, 'Approve')
    // Who pays was not kept, but for the address.
    await page.getByText('A sua identidade foi verificada').waitFor()
    expect(await part('pix-email').inputValue()).toBe(email)
    expect(await kept()).not.toContain(email)
    await part('pix-cpf').fill(PIX_PAYER.cpf)
    await part('pay').first().click()
    await untilStatus('waiting')
    assertClean()
  })

  it('begins anew where the browser has lost what proves that he has typed the code', async () => {
    const email = newEmail()
    const hosts = [new URL(harness.kycUrl).host]
    const opened = await openPage(await pageOfStranger(), { hosts, expected: /403/ })
    await askForPix(opened, email)
    await proveByCode(opened, email)
    await opened.part('identity-open').waitFor()
    await opened.context.clearCookies()
    await opened.page.reload()
    await opened.part('identity-send').waitFor()
    expect(await opened.part('identity-open').count()).toBe(0)
    await opened.part('identity-back').click()
    await opened.page.reload()
    await opened.part('pix-cpf').waitFor()
    expect(await opened.part('identity').count()).toBe(0)
  })

  it('is told why he gets no code once his identity is known, and asks for it again', async () => {
    const email = newEmail()
    const hosts = [new URL(harness.kycUrl).host]
    const opened = await openPage(await pageOfStranger(), { hosts, expected: /Failed to load/ })
    const { page, part, untilStatus } = opened
    let asked = 0
    await page.route('**/pix', (route) => {
      asked += 1
      const json = { error: { code: 'provider_unavailable' } }
      // The first one is refused for want of an identity.
      return asked === 2 ? route.fulfill({ status: 503, json }) : route.continue()
    })
    await askForPix(opened, email)
    await proveByCode(opened, email)
    await decide(opened, 'Approve')
    await page.getByText('O serviço de pagamento não responde agora').waitFor()
    await part('pay').click()
    await untilStatus('waiting')
    expect(asked).toBe(3)
  })

  it('goes on with his card, whose number he has not to type again', async () => {
    const email = newEmail()
    const hosts = [cardHost, new URL(harness.kycUrl).host]
    const opened = await openPage(await pageOfStranger(), { hosts, expected: /403/, colorScheme: 'dark' })
    const { page, part, untilStatus } = opened
    await part('method-card').click()
    const card = { number: '4000000000000010', ...CARD_PAYER, email }
    for (const [name, value] of Object.entries(card)) await part(`card-${name}`).fill(value)
    await part('pay').click()
    await part('identity-send').waitFor()
    await proveByCode(opened, email)
    await part('identity-open').waitFor()
    expect(await violations(page)).toEqual([])
    await decide(opened, 'Approve')
    await page.getByText('A sua identidade foi verificada').waitFor()
    await part('card-cvv').fill('123')
    await part('card-form').locator('[data-test="pay"]').click()
    await untilStatus('paid')
  })

  it('is told that a code is wrong, and that he was declined, and can pay after all', async () => {
    const email = newEmail()
    const opened = await openPage(await pageOfStranger(), { locale: 'en-US' })
    const { page, part, untilStatus } = opened
    await askForPix(opened, email)
    await part('identity-send').click()
    await part('identity-code').waitFor()
    const right = await newestCode(harness, email)
    await part('identity-code').fill(right === '000000' ? '000001' : '000000')
    await part('identity').locator('[data-test="pay"]').click()
    await page.getByText('This code is not right').waitFor()
    await part('identity-code').fill(right)
    await part('identity').locator('[data-test="pay"]').click()
    await decide(opened, 'Decline')
    await page.locator('[data-state="declined"]').waitFor()
    await part('identity-again').click()
    await decide(opened, 'Approve')
    await untilStatus('waiting')
  })
})
