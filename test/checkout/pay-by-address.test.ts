import axe from 'axe-core'
import { parseUnits, type Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { DESKTOP, noBrowser, openPage, PHONE, untilDrawn, usesBrowser } from '../harness/browser.js'
import { CONTRACTS } from '../harness/chains.js'
import { startHarness } from '../harness/harness.js'
import { openOrder } from '../harness/payment-page.js'
import { sendUsdt } from '../harness/underpaid.js'

const harness = await startHarness()
usesBrowser()
const { client } = harness.chain
const QUOTE_MS = 15 * 60_000
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Opened = Awaited<ReturnType<typeof openPage>>

/** Asks for the address. Returns it, and what is to be sent there, in base units. */
async function askForAddress({ part, untilStatus }: Opened): Promise<{ to: Address; due: bigint }> {
  await part('method-address').click()
  await part('pay').click()
  await untilStatus('waiting')
  await part('address-code').waitFor()
  return { to: (await part('address-code').inputValue()) as Address, due: await asked(part) }
}

async function asked(part: Opened['part']): Promise<bigint> {
  const [amount = ''] = (await part('address-amount').innerText()).split(' ')
  return parseUnits(amount.replace(',', '.'), 6)
}

const send = (to: Address, amount: bigint): Promise<void> => sendUsdt(harness, to, amount)

async function violations({ page }: Opened): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async (runOnly) => {
    interface Found {
      violations: { id: string }[]
    }
    const { axe: inPage } = window as unknown as { axe: { run: (node: Document, options: object) => Promise<Found> } }
    return (await inPage.run(document, { runOnly })).violations.map(({ id }) => id)
  }, RULES)
}

describe.skipIf(noBrowser)(`a payer who sends to the address${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([PHONE, DESKTOP])('pays from an exchange, and sees address, sum, token and chain: %j', async (size) => {
    const opened = await openOrder(harness, size)
    const { page, part, untilStatus, assertClean } = opened
    const { to, due } = await askForAddress(opened)
    expect(to).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(await part('address-amount').innerText()).toMatch(/^\d+,\d+ USDT$/)
    expect(await page.locator('.panel').innerText()).toContain('Envie somente USDT, e somente pela rede Polygon.')
    await untilDrawn({ part }, 'address-qr')
    expect(await part('address-link').getAttribute('href')).toBe(
      `ethereum:${CONTRACTS.USDT}@31337/transfer?address=${to}&uint256=${due}`,
    )
    await send(to, due)
    await untilStatus('received', 'paid')
    await untilStatus('paid')
    expect(await part('receipt').innerText()).toMatch(/0x[0-9a-f]{64}/)
    expect(await harness.tenant.statusOf(opened.id)).toMatchObject({
      status: 'success',
      late: false,
      overpaid_amount: '0',
    })
    assertClean()
  })

  it.each([PHONE, DESKTOP])('is told what has come of it, and sends the rest: %j', async (size) => {
    const opened = await openOrder(harness, size)
    const { part, untilStatus, assertClean } = opened
    const { to, due } = await askForAddress(opened)
    await send(to, due - 5_000_000n)
    await part('address-received').waitFor()
    expect(await asked(part)).toBe(5_000_000n)
    await send(to, 5_000_000n)
    await untilStatus('paid')
    expect(await part('address-over').count()).toBe(0)
    assertClean()
  })

  it.each([PHONE, DESKTOP])('is told that he has sent too much, and is paid all the same: %j', async (size) => {
    const opened = await openOrder(harness, size)
    const { to, due } = await askForAddress(opened)
    await send(to, due + 1_250_000n)
    await opened.untilStatus('paid')
    expect(await opened.part('address-over').innerText()).toContain('1,25 USDT')
    expect(await harness.tenant.statusOf(opened.id)).toMatchObject({ overpaid_amount: '1.25' })
    opened.assertClean()
  })

  it.each([PHONE, DESKTOP])('is not lost who sends when the price has run out: %j', async (size) => {
    const opened = await openOrder(harness, size)
    const { to, due } = await askForAddress(opened)
    harness.clock.advance(QUOTE_MS)
    // The page comes back from the background.
    await opened.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await opened.untilStatus('expired')
    expect(await opened.page.locator('.panel').innerText()).toContain('não envie de novo')
    const { timestamp } = await client.getBlock()
    const behindMs = harness.clock.now().getTime() - Number(timestamp) * 1000
    await client.increaseTime({ seconds: Math.max(1, Math.ceil(behindMs / 1000)) + 1 })
    await send(to, due)
    await opened.untilStatus('received', 'paid')
    await opened.untilStatus('paid')
    expect(await opened.part('address-late').isVisible()).toBe(true)
    expect(await harness.tenant.statusOf(opened.id)).toMatchObject({ status: 'success', late: true })
    opened.assertClean()
  })

  it.each(['light', 'dark'] as const)('meets nothing that axe finds wrong: %s', async (colorScheme) => {
    const opened = await openOrder(harness, { colorScheme })
    await opened.part('method-address').click()
    await opened.part('pay').waitFor()
    expect(await violations(opened)).toEqual([])
    const { to, due } = await askForAddress(opened)
    await send(to, 1n)
    await opened.part('address-received').waitFor()
    expect(await violations(opened)).toEqual([])
    await send(to, due)
    await opened.untilStatus('paid')
    expect(await violations(opened)).toEqual([])
  })

  it('sees address, sum and state without a script, also after he has closed the page', async () => {
    const opened = await openOrder(harness)
    const { to } = await askForAddress(opened)
    await send(to, 1_000_000n)
    await opened.part('address-received').waitFor()
    await opened.context.close()
    const plain = await openPage(opened.address, { javaScriptEnabled: false })
    await plain.untilStatus('waiting')
    expect(await plain.part('address-code').inputValue()).toBe(to)
    expect(await plain.part('address-received').innerText()).toContain('1 USDT')
    expect(await plain.part('address-qr').isVisible()).toBe(true)
    expect(await plain.part('address-copy').isVisible()).toBe(false)
  })

  it('can leave the address for another way to pay, as long as nothing has come', async () => {
    const opened = await openOrder(harness)
    const { to } = await askForAddress(opened)
    await opened.part('method-wallet').click()
    await opened.part('method-address').click()
    expect(await opened.part('address-code').inputValue()).toBe(to)
    await send(to, 1_000_000n)
    await opened.part('address-received').waitFor()
    expect(await opened.part('method-wallet').count()).toBe(0)
  })
})
