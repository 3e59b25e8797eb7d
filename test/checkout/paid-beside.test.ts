import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { violations } from '../harness/axe.js'
import { DESKTOP, noBrowser, PHONE, usesBrowser, type OpenedPage } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { askForPix, openOrder, payPix } from '../harness/payment-page.js'
import { sendUsdt } from '../harness/underpaid.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()

async function openAddress({ part }: OpenedPage): Promise<Address> {
  await part('method-address').click()
  await part('pay').click()
  await part('address-code').waitFor()
  return (await part('address-code').inputValue()) as Address
}

describe.skipIf(noBrowser)(`a payer whose coins came beside${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([
    { ...PHONE, locale: 'pt-BR', said: /^27,65 USDT também chegou.*não volta sozinho.*só pode ir para a loja/ },
    { ...DESKTOP, locale: 'en-US', said: /^27\.65 USDT arrived.*does not go back by itself.*only go to the shop/ },
  ])('what had been paid by Pix is told how much, and that it does not go back by itself: %j', async (given) => {
    const { said, ...size } = given
    const opened = await openOrder(harness, size)
    const to = await openAddress(opened)
    await opened.part('method-pix').click()
    await payPix(harness, await askForPix(opened))
    await opened.untilStatus('paid')
    expect(await opened.part('beside').count()).toBe(0)
    await sendUsdt(harness, to, 27_650_000n)
    await opened.part('beside').waitFor()
    expect(await opened.part('beside').innerText()).toMatch(said)
    expect(await violations(opened.page)).toEqual([])
    opened.assertClean()
  })

  it('a payment that was canceled is told the same', async () => {
    const opened = await openOrder(harness, { locale: 'en-US', colorScheme: 'dark' })
    const to = await openAddress(opened)
    expect((await harness.tenant.post(`/payment/${opened.id}/cancel`)).status).toBe(200)
    await opened.untilStatus('canceled')
    await sendUsdt(harness, to, 5_000_000n)
    await opened.part('beside').waitFor()
    expect(await opened.part('beside').innerText()).toMatch(/^5 USDT arrived .*which is canceled.*only go to the shop/)
    expect(await violations(opened.page)).toEqual([])
    opened.assertClean()
  })
})
