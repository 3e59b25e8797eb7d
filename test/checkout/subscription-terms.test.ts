import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { violations } from '../harness/axe.js'
import { DESKTOP, noBrowser, openPage, PHONE, usesBrowser, type OpenedPage } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { untilMails } from '../harness/mailbox.js'
import { askForPix, CARD_PAYER, openOrder, payPix } from '../harness/payment-page.js'
import { newEmail } from '../harness/rest-kyc.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

const MONTHLY = {
  gateway_method: 'subs',
  amount_from: '29.90',
  subscription_payment_config: { plan_name: 'Club', interval: 'monthly', charge: true, retry_count: 1 },
}
const BY_CARD = { ...MONTHLY, payment_method_allowed: { cardcrypto: true } }
const BY_PIX = { ...MONTHLY, payment_method_allowed: { pixcrypto: true } }

const planOf = async ({ part }: Pick<OpenedPage, 'part'>): Promise<string> =>
  (await part('plan').innerText()).replace(/\s/g, ' ')

async function mailed({ part }: OpenedPage): Promise<string> {
  const email = newEmail()
  await part('receipt-email').fill(email)
  await part('receipt-send').click()
  const [mail] = await untilMails(harness, email)
  return (mail?.text ?? '').replace(/[\u00a0\u202f]/g, ' ')
}

describe.skipIf(noBrowser)(`a payer of a subscription${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([
    {
      ...PHONE,
      locale: 'pt-BR',
      said: /Assinatura de Club R\$ 29,90 por mês O seu cartão fica guardado.*cobrado a cada vez/,
      mail: /Assinatura: Club, R\$ 29,90 por mês\. O cartão que pagou fica guardado/,
    },
    {
      ...DESKTOP,
      locale: 'en-US',
      colorScheme: 'dark' as const,
      said: /Subscription to Club R\$29\.90 every month Your card is kept.*charged each time/,
      mail: /Subscription: Club, R\$29\.90 every month\. The card that paid is kept/,
    },
  ])('by card is told plan, price, interval and that the card is charged again: %j', async (given) => {
    const { said, mail, ...size } = given
    const opened = await openOrder(harness, { ...size, hosts: [new URL(harness.cardUrl).host] }, BY_CARD)
    const { page, part, untilStatus, assertClean } = opened
    expect(await planOf(opened)).toMatch(said)
    await part('card-number').waitFor()
    expect(await violations(page)).toEqual([])
    const fields = { number: '4000000000000010', ...CARD_PAYER }
    for (const [name, value] of Object.entries(fields)) await part(`card-${name}`).fill(value)
    await part('pay').click()
    await untilStatus('paid')
    expect(await planOf(opened)).toMatch(said)
    expect(await mailed(opened)).toMatch(mail)
    assertClean()
  })

  it('by Pix is told that he is asked each time, and by either that it depends on the card', async () => {
    const opened = await openOrder(harness, { locale: 'en-US' }, BY_PIX)
    expect(await planOf(opened)).toMatch(/every month You are asked to pay each time\./)
    await payPix(harness, await askForPix(opened))
    await opened.untilStatus('paid')
    expect(await mailed(opened)).toMatch(/every month\. You are asked to pay each time\./)
    const either = await openOrder(harness, { locale: 'en-US' }, MONTHLY)
    expect(await planOf(either)).toMatch(/A card that pays is kept.*Without one you are asked to pay each time\./)
    const once = await openOrder(harness)
    expect(await once.part('plan').count()).toBe(0)
    opened.assertClean()
  })

  it('after a trial is told that this is the first payment', async () => {
    const order = await harness.tenant.createOrder({
      ...BY_PIX,
      split_payment_config: [{ receiver_wallet: harness.chain.newReceiver(), receiver_percent: 100 }],
    })
    const mutation = `mutation ($input: StartTrialInput!) {
      startTrial(input: $input) { paymentSubscription { firstPaymentId } errors { code } }
    }`
    const input = { orderCode: order, payerEmail: newEmail(), trialDays: 1 }
    const { body } = await harness.graphql(mutation, { input }, { as: harness.tenant })
    const { startTrial } = body.data as { startTrial: { paymentSubscription: { firstPaymentId: string } } }
    const path = await harness.tenant.pagePath(startTrial.paymentSubscription.firstPaymentId)
    const opened = await openPage(harness.url + path, { locale: 'en-US' })
    expect(await planOf(opened)).toMatch(/asked to pay each time.*This is the first payment, after the trial until /)
  })
})
