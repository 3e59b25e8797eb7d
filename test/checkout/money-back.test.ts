import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { fundRefunds } from '../../subgraphs/payments/fixtures/refunds.js'
import { violations } from '../harness/axe.js'
import { DESKTOP, noBrowser, PHONE, usesBrowser, type OpenedPage } from '../harness/browser.js'
import { postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { untilMails } from '../harness/mailbox.js'
import { askForPix, openOrder, payPix } from '../harness/payment-page.js'
import { newEmail } from '../harness/rest-kyc.js'
import { until } from '../harness/until.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()
const { tenant } = harness

/** The page of a payment of R$ 149.90 that is paid by Pix. */
async function paid(size: Parameters<typeof openOrder>[1]): Promise<OpenedPage & { id: string }> {
  const opened = await openOrder(harness, size)
  await payPix(harness, await askForPix(opened))
  await opened.untilStatus('paid')
  return opened
}

/** What the pages have in common, whatever spaces their language writes. */
const saidOf = async ({ part }: OpenedPage): Promise<string> =>
  (await part('back').allInnerTexts()).join('\n').replace(/[\u00a0\u202f]/g, ' ')

async function mailed({ part }: OpenedPage): Promise<string> {
  const email = newEmail()
  await part('receipt-email').fill(email)
  await part('receipt-send').click()
  const [mail] = await untilMails(harness, email)
  return (mail?.text ?? '').replace(/[\u00a0\u202f]/g, ' ')
}

describe.skipIf(noBrowser)(`a payer who is given money back${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([
    {
      ...PHONE,
      locale: 'pt-BR',
      part: /R\$ 10,00 desse valor/,
      whole: /R\$ 149,90 foi reembolsado: tudo/,
      title: 'O dinheiro voltou para você',
      mail: /voltou para você[^]*Reembolsado: R\$ 149,90/,
    },
    {
      ...DESKTOP,
      locale: 'en-US',
      colorScheme: 'dark' as const,
      part: /R\$10\.00 of it was refunded/,
      whole: /R\$149\.90 was refunded: all/,
      title: 'The money went back to you',
      mail: /went back to you[^]*Refunded: R\$149\.90/,
    },
  ])('is told how much, in part and in whole, on the page and in a later receipt: %j', async (given) => {
    const { part, whole, title, mail, ...size } = given
    const opened = await paid(size)
    expect(await fundRefunds(harness.databaseUrl, tenant.id, '300', opened.id)).toMatchObject({ code: 0 })
    expect((await tenant.post(`/payment/${opened.id}/refund`, { amount: '10.00' })).status).toBe(201)
    await until('the part is told', async () => part.test(await saidOf(opened)))
    expect(await opened.page.locator('h2').first().innerText()).not.toBe(title)
    expect((await tenant.post(`/payment/${opened.id}/refund`)).status).toBe(201)
    await until('the whole is told', async () => whole.test(await saidOf(opened)))
    await opened.page.getByRole('heading', { name: title, exact: true }).waitFor()
    expect(await opened.page.title()).toContain(title)
    expect(await violations(opened.page)).toEqual([])
    expect(await mailed(opened)).toMatch(mail)
    opened.assertClean()
  })

  it('by his bank is told that it was the bank, and how much', async () => {
    const opened = await paid({ locale: 'en-US' })
    const [row] = await harness.sql('select id from payments.receipt where payment_id = $1', [opened.id])
    await postJson(`${harness.pixUrl}/sandbox/pix/${String(row?.['id'])}/med`, { valor: '49.90' })
    await until('it is told', async () => /Your bank took R\$49\.90 of it back/.test(await saidOf(opened)))
    expect(await mailed(opened)).toMatch(/complete\.[^]*Taken back by your bank: R\$49\.90/)
    opened.assertClean()
  })
})
