import { Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { SOLANA_TOKENS } from '../../sandbox/solana/seed.js'
import { associatedTokenAddress, transferChecked } from '../../chains/solana/token.js'
import { paymentKey } from '../../chains/solana/transfer.js'
import { DESKTOP, noBrowser, openPage, PHONE, untilDrawn, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { pageOfOrder } from '../harness/payment-page.js'
import { balanceOf, freshAddress, fund } from '../harness/solana-side.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
usesBrowser()
const { solana } = harness

/** A payment in USDC on Solana, its page, and who gets how much of it. */
async function solanaPage(percents: readonly number[] = [100]) {
  const receivers = percents.map(() => freshAddress())
  const page = await pageOfOrder(harness, {
    payment_method_allowed: { crypto: true },
    to_chain: 'solana',
    to_currency_symbol: 'USDC',
    split_payment_config: receivers.map((receiver_wallet, index) => ({
      receiver_wallet,
      receiver_percent: percents[index],
    })),
  })
  return { ...page, receivers, request: `${page.address}/solana` }
}

/** What a wallet's app does with a transaction request: it says which account pays, and gets what it signs. */
async function ask(request: string, account: string) {
  const answer = await fetch(request, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en' },
    body: JSON.stringify({ account }),
  })
  return { status: answer.status, body: (await answer.json()) as { transaction?: string; message: string } }
}

/** Signs as wallets do by the specification, with a blockhash of its own, and sends. @returns the signature */
async function signAndSend(wire: string, payer: Keypair): Promise<string> {
  const transaction = Transaction.from(Buffer.from(wire, 'base64'))
  transaction.recentBlockhash = (await solana.client.connection.getLatestBlockhash()).blockhash
  transaction.sign(payer)
  return solana.client.connection.sendRawTransaction(transaction.serialize())
}

const untilPaid = (id: string) =>
  until('the payment is paid', async () => (await harness.tenant.statusOf(id))['status'] === 'success')

describe('a wallet’s app that pays by Solana Pay', () => {
  it('is told who is paid, gets the whole split to sign, and is found though no page is open', async () => {
    const { id, receivers, request } = await solanaPage([75, 25])
    const label = (await (await fetch(request)).json()) as { label: string; icon: string }
    expect(label.label).not.toBe('')
    const icon = await fetch(label.icon.replace(/^https?:\/\/[^/]+/, harness.url))
    expect(icon.headers.get('content-type')).toContain('image/svg+xml')
    const payer = await fund(solana)
    const { status, body } = await ask(request, payer.publicKey.toBase58())
    expect(status).toBe(200)
    expect(body.message).toContain('R$149.90')
    const signature = await signAndSend(body.transaction ?? '', payer)
    await untilPaid(id)
    expect(await harness.tenant.statusOf(id)).toMatchObject({ tid_hash: signature })
    const [first = 0n, second = 0n] = await Promise.all(receivers.map((receiver) => balanceOf(solana, receiver)))
    // What cannot be divided goes to the first.
    expect(second > 0n && first - second * 3n >= 0n && first - second * 3n < 4n).toBe(true)
  })

  it('pays once who signs twice, and the second is left to an operator', async () => {
    const { id, request } = await solanaPage()
    const payer = await fund(solana)
    const [one, two] = [await ask(request, payer.publicKey.toBase58()), await ask(request, payer.publicKey.toBase58())]
    // The one that was replaced counts as well.
    const signature = await signAndSend(one.body.transaction ?? '', payer)
    await untilPaid(id)
    await signAndSend(two.body.transaction ?? '', payer).catch(() => undefined)
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'success', tid_hash: signature })
  })

  it('does not pay with less than was asked for, though its transfer names the payment', async () => {
    const { id, request, receivers } = await solanaPage()
    const payer = await fund(solana)
    await ask(request, payer.publicKey.toBase58())
    const mint = new PublicKey(SOLANA_TOKENS.USDC.mint)
    const [receiver = ''] = receivers
    const owner = new PublicKey(receiver)
    const other = await solanaPage()
    const { body } = await ask(other.request, payer.publicKey.toBase58())
    // Another payment's transaction, to this receiver, with this reference.
    const transaction = Transaction.from(Buffer.from(body.transaction ?? '', 'base64'))
    const paying = transferChecked({
      source: associatedTokenAddress(payer.publicKey, mint),
      mint,
      destination: associatedTokenAddress(owner, mint),
      owner: payer.publicKey,
      amount: 1n,
      decimals: 6,
    })
    paying.keys.push({ pubkey: new PublicKey(paymentKey(id)), isSigner: false, isWritable: false })
    const creating = transaction.instructions[2]
    if (!creating) throw new Error('no token account is made')
    creating.keys = creating.keys.map((key) => {
      if (key.pubkey.toBase58() === other.receivers[0]) return { ...key, pubkey: owner }
      const theirs = associatedTokenAddress(new PublicKey(other.receivers[0] ?? ''), mint)
      return key.pubkey.equals(theirs) ? { ...key, pubkey: associatedTokenAddress(owner, mint) } : key
    })
    transaction.instructions = [creating, paying]
    transaction.recentBlockhash = (await solana.client.connection.getLatestBlockhash()).blockhash
    transaction.sign(payer)
    await solana.client.connection.sendRawTransaction(transaction.serialize())
    await until('the receiver has it', async () => (await balanceOf(solana, receiver)) === 1n)
    // The right one, which comes after it, is the one that counts.
    const right = await ask(request, payer.publicKey.toBase58())
    const signature = await signAndSend(right.body.transaction ?? '', payer)
    await untilPaid(id)
    expect(await harness.tenant.statusOf(id)).toMatchObject({ tid_hash: signature })
  })

  it('is told what is wrong, in words for its user', async () => {
    const { request } = await solanaPage()
    expect(await ask(request, 'nonsense')).toMatchObject({
      status: 400,
      body: { message: expect.any(String) as string },
    })
    const evm = await pageOfOrder(harness)
    expect((await ask(`${evm.address}/solana`, Keypair.generate().publicKey.toBase58())).status).toBe(400)
  })
})

describe.skipIf(noBrowser)(`a payer without an extension${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each([PHONE, DESKTOP])('scans the code, and sees the page change by itself: %j', async (size) => {
    const { address } = await solanaPage()
    const { part, untilStatus, assertClean } = await openPage(address, size)
    await untilDrawn({ part }, 'solana-qr')
    const link = (await part('solana-link').getAttribute('href')) ?? ''
    expect(link).toBe(`solana:${address}/solana`)
    const payer = await fund(solana)
    const { body } = await ask(link.slice('solana:'.length), payer.publicKey.toBase58())
    await untilStatus('waiting')
    expect(await part('solana-qr').isVisible()).toBe(true)
    const gap = await part('countdown').evaluate((clock) => {
      const line = clock.closest('p')
      return (line?.nextElementSibling?.getBoundingClientRect().top ?? 0) - (line?.getBoundingClientRect().bottom ?? 0)
    })
    expect(gap).toBeGreaterThan(8)
    await signAndSend(body.transaction ?? '', payer)
    await untilStatus('paid')
    assertClean()
  })
})
