import { describe, expect, it } from 'vitest'
import { violations } from '../harness/axe.js'
import { writeFileSync } from 'node:fs'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { noBrowser, openPage, usesBrowser } from '../harness/browser.js'
import { openConsole, signUpAt, type OpenedConsole } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { payPix, PIX_PAYER } from '../harness/payment-page.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

let count = 0
const newPerson = (): { email: string; tenant: string } => ({
  email: `owner${(count += 1)}@example.com`,
  tenant: `Corner shop ${count}`,
})

/** Makes a payment link in the console. @returns the address of its first payment's page */
async function makeLink({ part, goTo }: OpenedConsole): Promise<string> {
  await goTo('/orders/new')
  await part('order-item').fill('Coffee')
  await part('order-price').fill('149,90')
  await part('order-chain').fill('polygon')
  await part('receiver-wallet').fill(harness.chain.newReceiver())
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
  await part('pix-cpf').fill(PIX_PAYER.cpf)
  await part('pix-email').fill(PIX_PAYER.email)
  await part('pay').click()
  await untilStatus('waiting')
  await payPix(harness, await part('pix-code').inputValue())
  await untilStatus('paid')
}

describe('shots', () => {
  it('shots', async () => {
    const opened = await openConsole(harness)
    const out: string[] = []
    const shot = async (name: string) => {
      await opened.page.waitForTimeout(400)
      for (const scheme of ['light', 'dark'] as const)
        for (const width of [1280, 390]) {
          await opened.page.emulateMedia({ colorScheme: scheme })
          await opened.page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
          await opened.page.waitForTimeout(150)
          await opened.page.screenshot({ path: `/tmp/shots/${name}-${scheme}-${width}.png` })
          const v = await violations(opened.page)
          if (v.length) out.push(`${name} ${scheme} ${width}: ${v.join(' | ')}`)
        }
      await opened.page.setViewportSize({ width: 1280, height: 900 })
      writeFileSync('/tmp/shots/axe.txt', out.join('\n'))
    }
    await shot('signin')
    await signUpAt(opened, harness, newPerson())
    await opened.part('first-steps').waitFor()
    await shot('empty')
    const link = await makeLink(opened)
    await shot('order-made')
    await pay(link)
    await opened.goTo('/orders/new')
    await opened.part('order-item').fill('Coffee')
    await opened.part('order-price').fill('20')
    await shot('order-new')
    await opened.goTo('/orders')
    await opened.part('new-order').waitFor()
    await shot('orders')
    await opened.goTo('')
    await opened.page.locator('[data-status="SUCCESS"]').first().waitFor()
    await shot('payments')
    await opened.part('open-payment').first().click()
    await opened.part('history').waitFor()
    await shot('payment')
    await opened.part('refund-payment').click()
    await opened.part('refund-amount').waitFor()
    await shot('refund')
    await opened.page.keyboard.press('Escape')
    await opened.goTo('/webhooks')
    await opened.part('send-test').waitFor()
    await opened.part('send-test').click()
    await shot('webhooks')
    await opened.goTo('/statement')
    await opened.part('export').waitFor()
    await shot('statement')
    try {
      opened.assertClean()
    } catch (e) {
      out.push(String(e))
      writeFileSync('/tmp/shots/axe.txt', out.join('\n'))
    }
  }, 120_000)
})
