import { describe, expect, it } from 'vitest'
import { noBrowser, type openPage, usesBrowser } from '../harness/browser.js'
import { putEvmWallet } from '../harness/browser-wallets.js'
import { startHarness } from '../harness/harness.js'
import { openOrder } from '../harness/payment-page.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
usesBrowser()
const QUOTE_MS = 15 * 60_000

type Opened = Awaited<ReturnType<typeof openPage>>

/** Opens the page of a new payment where its payer has an EVM wallet with the money. */
async function openWithWallet(
  prepare?: (context: Opened['context']) => Promise<void>,
  wallet: Parameters<typeof putEvmWallet>[3] = {},
) {
  const payer = await harness.chain.newPayer()
  let asked: string[] = []
  const opened = await openOrder(harness, {
    expected: /Failed to load/,
    prepare: async (context) => {
      asked = await putEvmWallet(context, harness.chain, payer, wallet)
      await prepare?.(context)
    },
  })
  return { ...opened, asked }
}

/** Answers in the server's place what is handed in, as long as there is a code to refuse it with. @returns the codes that are left */
async function refuseSent({ page }: Opened, codes: string[]): Promise<string[]> {
  await page.route('**/sent', async (route) => {
    const code = codes.shift()
    await (code === undefined ? route.continue() : route.fulfill({ status: 500, json: { error: { code } } }))
  })
  return codes
}

describe.skipIf(noBrowser)(`a payer whose wallet has sent${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('is not asked to pay again, reloaded or not, while the server may not have what his wallet has sent', async () => {
    const opened = await openWithWallet(({ clock }) => clock.install())
    const { asked, page, part, untilStatus, assertClean } = opened
    const unknown = ['broadcast_confirmation_timeout', 'idempotency_in_progress', 'server_error', 'provider_timeout']
    const left = await refuseSent(opened, [...unknown])
    await part('method-wallet').click()
    await part('pay').first().click()
    for (const [index] of unknown.entries()) {
      await until('it is handed in', () => left.length < unknown.length - index)
      await page.getByText('Enviado.').waitFor()
      expect(await part('pay').first().isDisabled()).toBe(true)
      if (left.length > 0) await page.reload()
    }
    await until('it is handed in again by the page itself', async () => {
      await page.clock.fastForward(11_000)
      return (await part('status').getAttribute('data-status')) !== 'waiting'
    })
    await untilStatus('paid')
    expect(asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
    assertClean()
  })

  it('is not asked to pay again when the price runs out before the server has what his wallet has sent', async () => {
    const opened = await openWithWallet()
    const left = await refuseSent(opened, ['server_error', 'server_error'])
    await opened.part('method-wallet').click()
    await opened.part('pay').first().click()
    await until('it is handed in', () => left.length < 2)
    harness.clock.advance(QUOTE_MS)
    await opened.page.reload()
    await until('it is handed in again', () => left.length === 0)
    await opened.untilStatus('waiting')
    expect(await opened.part('retry').count()).toBe(0)
    await opened.page.reload()
    await opened.untilStatus('paid')
    opened.assertClean()
  })

  it('may pay again once the server has refused what his wallet has sent', async () => {
    const opened = await openWithWallet()
    await refuseSent(opened, ['invalid_signed_transaction'])
    await opened.part('method-wallet').click()
    await opened.part('pay').first().click()
    await opened.page.getByText('Comece de novo').waitFor()
    expect(await opened.part('pay').first().isEnabled()).toBe(true)
    expect(await opened.page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it.each([false, true])(
    'may pay again once the network has refused it; he has reloaded the page: %s',
    async (reloads) => {
      // Too little to move a token: the block has the transaction, and it did nothing.
      const opened = await openWithWallet(undefined, { gas: [30_000n] })
      const { asked, page, part, untilStatus } = opened
      await part('method-wallet').click()
      await part('pay').first().click()
      await untilStatus('refused')
      if (reloads) await page.reload()
      await part('retry').click()
      await part('pay').first().click()
      await untilStatus('paid')
      expect(asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2)
      expect(await harness.tenant.statusOf(opened.id)).toMatchObject({ status: 'success' })
    },
  )
})
