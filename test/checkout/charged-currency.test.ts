import { describe, expect, it } from 'vitest'
import { MESSAGES } from '../../checkout/language.js'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { DESKTOP, noBrowser, PHONE, usesBrowser, type OpenedPage } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { send } from '../harness/http.js'
import { untilMails } from '../harness/mailbox.js'
import { askForPix, CARD_PAYER, openOrder, payPix } from '../harness/payment-page.js'
import { newEmail } from '../harness/rest-kyc.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

const IN_DOLLARS = { from_currency_symbol: 'USD', amount_from: '100' }
/** More than a thousand cents of a real in any writing, and no dollars. */
const REAIS = /R\$ ?\d{3}[.,]\d{2}/

/** Whatever spaces an e-mail or a page has. */
const reaisIn = (text: string | undefined): string =>
  REAIS.exec((text ?? '').replace(/[\u00a0\u202f]/g, ' '))?.[0].replace(/\D/g, '') ?? `none in ${text}`

async function mailedReceipt({ part }: Pick<OpenedPage, 'part'>): Promise<string | undefined> {
  const email = newEmail()
  await part('receipt-email').fill(email)
  await part('receipt-send').click()
  const [mail] = await untilMails(harness, email)
  return mail?.text
}

describe.skipIf(noBrowser)(`a payer of a price in dollars${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([
    { ...PHONE, locale: 'pt-BR' },
    { ...DESKTOP, locale: 'en-US', colorScheme: 'dark' as const },
  ])('by Pix sees before he pays what his bank is asked for, and afterwards what was charged: %j', async (size) => {
    const opened = await openOrder(harness, size, IN_DOLLARS)
    const { part, untilStatus, assertClean } = opened
    expect(await part('charge').innerText()).toMatch(REAIS)
    const code = await askForPix(opened)
    const asked = reaisIn(await part('pix-amount').innerText())
    const [charge] = await harness.sql('select amount from payments.charge where payment_id = $1', [opened.id])
    expect(asked).toBe(String(charge?.['amount']).replace('.', ''))
    await payPix(harness, code)
    await untilStatus('paid')
    expect(reaisIn(await part('receipt').innerText())).toBe(asked)
    expect(reaisIn(await mailedReceipt(opened))).toBe(asked)
    assertClean()
  })

  it('by card sees it on the button, and afterwards what was charged', async () => {
    const { part, untilStatus, assertClean } = await openOrder(
      harness,
      { locale: 'en-US', hosts: [new URL(harness.cardUrl).host] },
      IN_DOLLARS,
    )
    await part('method-card').click()
    const fields = { number: '4000000000000010', ...CARD_PAYER }
    for (const [name, value] of Object.entries(fields)) await part(`card-${name}`).fill(value)
    expect(await part('pay').innerText()).toMatch(/^Pay \$100\.00 \(≈ R\$\d{3}\.\d{2}\)$/)
    const shown = reaisIn(await part('pay').innerText())
    await part('pay').click()
    await untilStatus('received', 'paid')
    expect(reaisIn(await part('receipt').innerText())).toBe(shown)
    assertClean()
  })
})

describe('the page of a price in dollars', () => {
  it('says it as the server draws it, before any script has come, and nothing of it once it is canceled', async () => {
    const { tenant } = harness
    const id = await tenant.register({
      order_code: await tenant.createOrder({ ...IN_DOLLARS, payment_method_allowed: { pixcrypto: true } }),
    })
    const url = `${harness.url}${await tenant.pagePath(id)}`
    const drawn = async () =>
      reaisIn((await send({ method: 'GET', url, headers: { 'accept-language': 'pt-BR' } })).text)
    expect(await drawn()).toMatch(/^\d{5}$/)
    expect((await tenant.post(`/payment/${id}/cancel`, {})).status).toBe(200)
    expect(await drawn()).toMatch(/^none in/)
  })
})

describe('a card whose payer has seen a lower price than that of now', () => {
  const body = { token: 'token_x', seen: '1.00', name: 'ANA', email: 'ana@example.com', document: '52998224725' }
  const phone = { areaCode: '11', number: '987654321' }
  const address = { zipcode: '01310100', street: 'A', streetNumber: '1', neighborhood: 'B', city: 'C', state: 'SP' }

  it('is not charged, and the page shows the price of now', async () => {
    const { tenant } = harness
    const id = await tenant.register({
      order_code: await tenant.createOrder({ ...IN_DOLLARS, payment_method_allowed: { cardcrypto: true } }),
    })
    const answer = await harness.rest('POST', `${await tenant.pagePath(id)}/card`, {
      body: { ...body, phone, address },
    })
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: { code: 'price_changed' },
        view: { status: 'open', charge: { currency: 'BRL', isEstimate: true } },
      },
    })
    for (const { errors } of Object.values(MESSAGES)) expect(errors['price_changed']).toMatch(/\S{3}/)
  })
})
