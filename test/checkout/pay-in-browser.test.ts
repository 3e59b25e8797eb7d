import { parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { DESKTOP, noBrowser, type openPage, PHONE, untilCopied, untilDrawn, usesBrowser } from '../harness/browser.js'
import { putContractWallet, putEvmWallet, putSolanaWallet } from '../harness/browser-wallets.js'
import { startHarness } from '../harness/harness.js'
import { askForPix, CARD_PAYER, openOrder, payPix } from '../harness/payment-page.js'
import { freshAddress, fund } from '../harness/solana-side.js'
import { until } from '../harness/until.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
usesBrowser()
const QUOTE_MS = 15 * 60_000
const cardHost = new URL(harness.cardUrl).host

type Opened = Awaited<ReturnType<typeof openPage>>
type PageOptions = Parameters<typeof openPage>[1]

/** Opens the page of a new payment where its payer has an EVM wallet with the money. @param wallet how it differs from a good one */
async function openWithWallet(wallet: Parameters<typeof putEvmWallet>[3] = {}, options: PageOptions = {}) {
  const payer = await harness.chain.newPayer()
  let asked: string[] = []
  const prepare = async (context: Opened['context']): Promise<void> => {
    asked = await putEvmWallet(context, harness.chain, payer, wallet)
    await options.prepare?.(context)
  }
  const opened = await openOrder(harness, { ...options, prepare })
  return { ...opened, payer, asked }
}

async function payByCard({ part }: Opened, number: string): Promise<void> {
  for (const [name, value] of Object.entries({ number, ...CARD_PAYER })) await part(`card-${name}`).fill(value)
  await part('pay').click()
}

describe.skipIf(noBrowser)(`a payer in a browser${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([PHONE, DESKTOP])('pays by Pix: %j', async (size) => {
    const opened = await openOrder(harness, { ...size, permissions: ['clipboard-read', 'clipboard-write'] })
    const { part, untilStatus, assertClean } = opened
    expect(await part('amount').innerText()).toBe('R$ 149,90')
    await part('method-pix').click()
    const code = await askForPix(opened)
    await untilDrawn(opened, 'pix-qr')
    await part('pix-copy').click()
    await untilCopied(opened, code)
    expect(await part('countdown').innerText()).toMatch(/^1[45]:\d\d$/)
    await payPix(harness, code)
    await untilStatus('received', 'paid')
    await untilStatus('paid')
    expect(await part('receipt').innerText()).toContain('Pix')
    assertClean()
  })

  it('sees that the money is in though nothing comes by the stream: the page looks by itself', async () => {
    let streams = 0
    const opened = await openOrder(harness, {
      expected: /ERR_FAILED|Failed to load/,
      prepare: async (context) => {
        await context.route('**/events', (route) => {
          streams += 1
          return route.abort()
        })
      },
    })
    const code = await askForPix(opened)
    await payPix(harness, code)
    await opened.untilStatus('received', 'paid')
    await opened.untilStatus('paid')
    expect(streams).toBeGreaterThan(0)
    opened.assertClean()
  })

  it('gets a new Pix code in place when one has run out', async () => {
    const opened = await openOrder(harness)
    const first = await askForPix(opened)
    harness.clock.advance(QUOTE_MS)
    // The page comes back from the background.
    await opened.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await opened.untilStatus('expired')
    await opened.part('retry').click()
    await opened.untilStatus('waiting')
    expect(await opened.part('pix-code').inputValue()).not.toBe(first)
  })

  it('is told why he gets no new Pix code, and can ask again', async () => {
    const opened = await openOrder(harness, { expected: /Failed to load/ })
    const { page, part, untilStatus } = opened
    await askForPix(opened)
    harness.clock.advance(QUOTE_MS)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await untilStatus('expired')
    const json = { error: { code: 'provider_unavailable' } }
    await page.route('**/pix', (route) => route.fulfill({ status: 503, json }), { times: 1 })
    await part('retry').click()
    await page.getByText('O serviço de pagamento não responde agora').waitFor()
    await part('retry').click()
    await part('pay').click()
    await untilStatus('waiting')
    await part('pix-code').waitFor()
  })

  it.each([PHONE, DESKTOP])('is told why a card was refused, and pays with another: %j', async (size) => {
    const opened = await openOrder(harness, { ...size, hosts: [cardHost] })
    await opened.part('method-card').click()
    await payByCard(opened, '4000000000000028')
    await opened.untilStatus('refused')
    expect(await opened.page.locator('.reason').innerText()).toMatch(/eu banco não autorizou o pagamento/)
    await opened.part('retry').click()
    await payByCard(opened, '4000000000000010')
    await opened.untilStatus('paid')
    expect(await harness.tenant.statusOf(opened.id)).toMatchObject({
      status: 'success',
      transaction_type: 'cardcrypto',
    })
    opened.assertClean()
  })

  it('pays by Pix after a refused card', async () => {
    const opened = await openOrder(harness, { hosts: [cardHost] })
    await opened.part('method-card').click()
    await payByCard(opened, '4000000000000028')
    await opened.untilStatus('refused')
    await opened.part('retry').click()
    await opened.part('method-pix').click()
    await payPix(harness, await askForPix(opened))
    await opened.untilStatus('paid')
  })

  it.each([PHONE, DESKTOP])('leaves his wallet, which he has connected, for a Pix: %j', async (size) => {
    const opened = await openWithWallet({ refuses: ['eth_sendTransaction'] }, size)
    await opened.part('method-wallet').click()
    await opened.part('pay').first().click()
    await opened.page.getByText('Você recusou na sua carteira').waitFor()
    await opened.untilStatus('waiting')
    await opened.part('method-pix').click()
    await payPix(harness, await askForPix(opened))
    await opened.untilStatus('paid')
    opened.assertClean()
  })

  it('sends no card number to us', async () => {
    const opened = await openOrder(harness, { hosts: [cardHost] })
    const sent: string[] = []
    opened.page.on('request', (request) => {
      if (new URL(request.url()).host !== cardHost) sent.push(request.postData() ?? '')
    })
    await opened.part('method-card').click()
    await payByCard(opened, '4000000000000010')
    await opened.untilStatus('received', 'paid')
    expect(sent.join()).toContain('token')
    expect(sent.join()).not.toContain('4000000000000010')
  })

  it.each([PHONE, DESKTOP])('pays by an EVM wallet that is on another chain: %j', async (size) => {
    const { id, payer, asked, part, untilStatus, assertClean } = await openWithWallet({ isElsewhere: true }, size)
    await part('method-wallet').click()
    await part('pay').first().click()
    await untilStatus('paid')
    expect(asked).toContain('wallet_addEthereumChain')
    expect(await part('receipt').innerText()).toMatch(/0x[0-9a-f]{64}/)
    expect(await harness.tenant.statusOf(id)).toMatchObject({
      status: 'success',
      payer_wallet: payer.address,
    })
    assertClean()
  })

  it('pays by a wallet that is a contract, for which somebody else sends the transaction', async () => {
    const owner = await harness.chain.newPayer()
    const contract = await putContractWallet(harness.chain, owner)
    const prepare = async (context: Opened['context']): Promise<void> =>
      void (await putEvmWallet(context, harness.chain, owner, { contract, refuses: ['eth_sendTransaction'] }))
    const { id, page, part, untilStatus } = await openOrder(harness, { prepare })
    await part('method-wallet').click()
    await part('pay').first().click()
    // He says no at first.
    await page.getByText('Você recusou na sua carteira').waitFor()
    await part('pay').first().click()
    await untilStatus('paid')
    const { amount_to: due } = await harness.tenant.statusOf(id)
    expect(await harness.chain.balanceOf('USDT', contract)).toBe(parseUnits('1000', 6) - parseUnits(String(due), 6))
  })

  it('pays in another token, which takes an allowance first, and is shown no price of the receivers’ token for it', async () => {
    const { page, part, untilStatus } = await openWithWallet({ refuses: ['eth_sendTransaction'] })
    const price = page.locator('.price')
    await part('method-wallet').click()
    // The price is known once a wallet was asked.
    await part('pay').first().click()
    await page.getByText('Você recusou na sua carteira').waitFor()
    expect(await price.innerText()).toContain('USDT')
    await part('wallet-token').selectOption('USDC')
    await price.waitFor({ state: 'detached' })
    await part('wallet-token').selectOption('USDT')
    await price.waitFor()
    await part('wallet-token').selectOption('USDC')
    await part('pay').first().click()
    await untilStatus('paid')
  })

  it('is told that he said no in his wallet, and can ask it again', async () => {
    const { page, part, untilStatus } = await openWithWallet({ refuses: ['eth_sendTransaction'] })
    await part('method-wallet').click()
    await part('pay').first().click()
    await page.getByText('Você recusou na sua carteira').waitFor()
    await part('pay').first().click()
    await untilStatus('paid')
  })

  it('asks a wallet again that was silent; what the first question has sent counts, whatever the second one answers', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const waits = { eth_sendTransaction: [first.promise, second.promise] }
    const prepare = ({ clock }: Opened['context']): Promise<void> => clock.install()
    const { id, asked, page, part, untilStatus } = await openWithWallet({ waits }, { prepare })
    const questions = () => asked.filter((method) => method === 'eth_sendTransaction').length
    await part('method-wallet').click()
    await part('pay').first().click()
    await part('countdown').waitFor()
    await until('the wallet is asked', () => questions() === 1)
    expect(await part('pay').first().isDisabled()).toBe(true)
    await page.clock.fastForward(21_000)
    await page.getByText('A sua carteira não respondeu').waitFor()
    await part('pay').first().click()
    await until('the wallet is asked again', () => questions() === 2)
    first.resolve()
    await untilStatus('paid')
    // The payer says no to the question that is left.
    second.reject(Object.assign(new Error('no'), { code: 4001 }))
    await untilStatus('paid')
    expect(await page.getByText('Nada foi pago').count()).toBe(0)
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'success' })
  })

  it.each([true, false])('pays by a Solana wallet; it sends by itself: %s', async (sends) => {
    const terms = {
      payment_method_allowed: { crypto: true },
      to_chain: 'solana',
      to_currency_symbol: 'USDC',
      split_payment_config: [{ receiver_wallet: freshAddress(), receiver_percent: 100 }],
    }
    const payer = await fund(harness.solana)
    const prepare = (context: Opened['context']): Promise<void> =>
      putSolanaWallet(context, harness.solana, payer, sends)
    const { part, untilStatus, assertClean } = await openOrder(harness, { prepare }, terms)
    await part('pay').first().click()
    await untilStatus('paid')
    assertClean()
  })

  it('pays by the sandbox’s toy wallet', async () => {
    const { page, part, untilStatus, assertClean } = await openOrder(harness)
    await part('method-wallet').click()
    await page.getByRole('button', { name: /Toy wallet/ }).click()
    await untilStatus('paid')
    assertClean()
  })
})
