import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { violations } from '../harness/axe.js'
import { DESKTOP, noBrowser, type OpenedPage, openPage, PHONE, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { askForPix, CARD_PAYER, openOrder, pageOfOrder, payPix } from '../harness/payment-page.js'

// The processor and Pix call back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()
const cardHost = new URL(harness.cardUrl).host

/** Pays with a card whose issuer asks who pays; the browser is then at the bank. */
async function payChallenged({ page, part }: OpenedPage): Promise<void> {
  await part('method-card').click()
  const card = { number: '4000000000000119', ...CARD_PAYER }
  for (const [name, value] of Object.entries(card)) await part(`card-${name}`).fill(value)
  await part('pay').click()
  await page.getByText('Is it you who pays?').waitFor()
}

describe.skipIf(noBrowser)(`a payer whose bank asks who pays${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([PHONE, DESKTOP])('confirms there, is led back and has paid: %j', async (size) => {
    const opened = await openOrder(harness, { ...size, hosts: [cardHost, new URL(harness.publicUrl).host] })
    await payChallenged(opened)
    await opened.page.getByRole('button', { name: 'Confirm' }).click()
    await opened.untilStatus('received', 'paid')
    await opened.untilStatus('paid')
    opened.assertClean()
  })

  it('says no there, is told so, and pays by Pix', async () => {
    const { address } = await pageOfOrder(harness)
    const hosts = [cardHost, new URL(harness.publicUrl).host]
    const opened = await openPage(address, { hosts, locale: 'en-US' })
    const { page, part, untilStatus } = opened
    await payChallenged(opened)
    await page.getByRole('button', { name: 'It was not me' }).click()
    await untilStatus('refused')
    await page.getByText('Your bank did not confirm that it is you').waitFor()
    await part('retry').click()
    await part('method-pix').click()
    await payPix(harness, await askForPix({ part, untilStatus }))
    await untilStatus('paid')
  })

  it.each([PHONE, DESKTOP])(
    'comes back without an answer: he can go again, or pay in another way: %j',
    async (size) => {
      const opened = await openOrder(harness, { ...size, hosts: [cardHost] })
      const { page, part, untilStatus, assertClean } = opened
      await payChallenged(opened)
      await page.goto(opened.address)
      await untilStatus('waiting')
      expect(await part('challenge').getAttribute('href')).toContain(harness.cardUrl)
      expect(await violations(page)).toEqual([])
      await part('retry').click()
      await part('card-form').waitFor()
      await part('method-pix').click()
      await payPix(harness, await askForPix({ part, untilStatus }))
      await untilStatus('paid')
      assertClean()
    },
  )
})
