import { parseUnits, type Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { DESKTOP, noBrowser, openPage, PHONE, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { untilMails } from '../harness/mailbox.js'
import { newEmail } from '../harness/rest-kyc.js'
import { sendUsdt, underpaidPayment } from '../harness/underpaid.js'

const harness = await startHarness()
usesBrowser()
const { tenant } = harness

/** A payment to whose address 18 USDT came, and the address of its page. */
async function underpaid(): Promise<{ id: string; address: string }> {
  const id = await underpaidPayment(harness)
  return { id, address: harness.url + (await tenant.pagePath(id)) }
}

async function accept(id: string): Promise<void> {
  const mutation = 'mutation ($id: ID!) { acceptUnderpayment(id: $id) { payment { amountTo } errors { code } } }'
  const { body } = await harness.graphql(mutation, { id }, { as: tenant })
  expect(body.data).toMatchObject({ acceptUnderpayment: { errors: [] } })
}

describe.skipIf(noBrowser)(`a payer of whom less was accepted${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([
    {
      ...PHONE,
      locale: 'pt-BR',
      came: /Dos 27,\d+ USDT pedidos, chegaram 18\./,
      mailed: /Recebido: 18 de 27,\d+ USDT/,
    },
    { ...DESKTOP, locale: 'en-US', came: /Of the 27\.\d+ USDT .* 18 arrived/, mailed: /Arrived: 18 of 27\.\d+ USDT/ },
  ])(
    'is told what came of what was asked for, on the page and in the receipt: %j',
    async ({ came, mailed, ...size }) => {
      const { id, address } = await underpaid()
      const { part, untilStatus, assertClean } = await openPage(address, size)
      await accept(id)
      await untilStatus('paid')
      expect(await part('address-short').innerText()).toMatch(came)
      const email = newEmail()
      await part('receipt-email').fill(email)
      await part('receipt-send').click()
      const [mail] = await untilMails(harness, email)
      expect(mail?.text).toMatch(mailed)
      assertClean()
    },
  )
})

describe.skipIf(noBrowser)(`a payer whose price ran out on a part${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([PHONE, DESKTOP])(
    'sees what came, what is missing and where it goes, and pays it there: %j',
    async (size) => {
      const { id, address } = await underpaid()
      const { part, untilStatus, assertClean } = await openPage(address, size)
      await untilStatus('refused')
      expect(await part('address-received').innerText()).toContain('18 USDT')
      const [missing = ''] = (await part('address-amount').innerText()).split(' ')
      expect(missing).toMatch(/^9[.,]\d+$/)
      expect(await part('countdown').count()).toBe(0)
      const to = (await part('address-code').inputValue()) as Address
      await sendUsdt(harness, to, parseUnits(missing.replace(',', '.'), 6))
      await untilStatus('received', 'paid')
      await untilStatus('paid')
      expect(await part('address-short').count()).toBe(0)
      expect(await tenant.statusOf(id)).toMatchObject({ status: 'success', late: true })
      assertClean()
    },
  )
})
