import { ComputeBudgetProgram, Keypair, PublicKey, Transaction, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { holding, holdingAddress } from '../../sandbox/solana/seed.js'
import { shareAmounts } from '../shares.js'
import { buildTransfer } from './build-transfer.js'
import { readConfirmation, verifyTransfer } from './confirm.js'
import { broadcast } from './broadcast.js'
import { startDroppingProxy } from '../../test/harness/rpc-proxy.js'
import { createSolanaClient } from './client.js'
import { balanceOf, freshAddress, fund, signWire } from '../../test/harness/solana-side.js'
import { buildUsdc, freshPaymentId, SOL, startSolanaHarness, USDC } from '../../test/harness/solana.js'
import { deadUrl } from '../../test/harness/serve.js'
import { paymentKey } from './transfer.js'
import { verifySigned } from './verify-signed.js'
import { refusal } from '../../test/harness/refusal.js'

describe("building a payer's transaction", async () => {
  const harness = await startSolanaHarness()

  const pay = async (serialized: string): Promise<string> => {
    const { signature, raw } = verifySigned({ serialized }, signWire(harness.payer, serialized))
    expect(await broadcast(harness.client, { raw, signature }, () => Promise.reject(new Error('not expired')))).toEqual(
      {
        kind: 'sent',
      },
    )
    return signature
  }

  it('pays several receivers to the last unit in one transaction that says whose it is', async () => {
    const [first, second] = [freshAddress(), freshAddress()]
    const [most = 0n, rest = 0n] = shareAmounts(1_000_001n, ['70', '30'])
    const shares = [
      { wallet: first, amount: most },
      { wallet: second, amount: rest },
    ]
    const paymentId = freshPaymentId()
    const request = await buildUsdc(harness, shares, paymentId)
    const signature = await pay(request.serialized)

    expect([await balanceOf(harness, first), await balanceOf(harness, second)]).toEqual([700_001n, 300_000n])
    const found = await harness.client.connection.getSignaturesForAddress(new PublicKey(paymentKey(paymentId)))
    expect(found).toMatchObject([{ signature, err: null, memo: `[29] pay:${paymentId}` }])
    expect(await readConfirmation(harness.client, harness.chain, { ...request, signature })).toMatchObject({
      state: 'confirmed',
    })
    const from = harness.payer.publicKey.toBase58()
    const expected = { from, asset: USDC, shares, reference: request.reference }
    expect(await verifyTransfer(harness.client, signature, expected)).toBe(true)
    const [tooMuch, ...others] = shares
    const raised = [{ wallet: tooMuch?.wallet ?? '', amount: 700_002n }, ...others]
    expect(await verifyTransfer(harness.client, signature, { ...expected, shares: raised })).toBe(false)
    expect(await verifyTransfer(harness.client, signature, { ...expected, reference: freshAddress() })).toBe(false)
  })

  it('is read by the wallets of both formats, and names fee payer, blockhash and reference', async () => {
    const request = await buildUsdc(harness, [{ wallet: freshAddress(), amount: 5n }])
    const bytes = Buffer.from(request.serialized, 'base64')
    const legacy = Transaction.from(bytes)
    expect(legacy.feePayer?.toBase58()).toBe(request.feePayer)
    expect(legacy.recentBlockhash).toBe(request.recentBlockhash)
    expect(VersionedTransaction.deserialize(bytes).version).toBe('legacy')
    const [limit, price, , transfer] = legacy.instructions
    expect([limit?.programId, price?.programId]).toEqual([
      ComputeBudgetProgram.programId,
      ComputeBudgetProgram.programId,
    ])
    expect(transfer?.keys.at(-1)).toEqual({
      pubkey: new PublicKey(request.reference),
      isSigner: false,
      isWritable: false,
    })
  })

  it('pays a wallet that is named twice in one transfer, and leaves out who gets nothing', async () => {
    const wallet = freshAddress()
    const shares = [
      { wallet, amount: 3n },
      { wallet: freshAddress(), amount: 0n },
      { wallet, amount: 4n },
    ]
    const request = await buildUsdc(harness, shares)
    expect(Transaction.from(Buffer.from(request.serialized, 'base64')).instructions).toHaveLength(5)
    const signature = await pay(request.serialized)
    const from = harness.payer.publicKey.toBase58()
    const { reference } = request
    expect(await verifyTransfer(harness.client, signature, { from, asset: USDC, shares, reference })).toBe(true)
    expect(await balanceOf(harness, wallet)).toBe(7n)
  })

  it('pays SOL', async () => {
    const from = harness.payer.publicKey.toBase58()
    const shares = [
      { wallet: freshAddress(), amount: 2_000_000_000n },
      { wallet: freshAddress(), amount: 1_000_000_000n },
    ]
    const paymentId = freshPaymentId()
    const request = await buildTransfer({ client: harness.client, from, asset: SOL, symbol: 'SOL', shares, paymentId })
    const signature = await pay(request.serialized)
    const { reference } = request
    expect(await verifyTransfer(harness.client, signature, { from, asset: SOL, shares, reference })).toBe(true)
    const raised = shares.map(({ wallet, amount }) => ({ wallet, amount: amount + 1n }))
    expect(await verifyTransfer(harness.client, signature, { from, asset: SOL, shares: raised, reference })).toBe(false)
  })

  it('says what the payer has too little of', async () => {
    const shares = [{ wallet: freshAddress(), amount: 10n }]
    const attempt = async (funds: { lamports: bigint; usdc: bigint }, asset: typeof SOL | typeof USDC = USDC) => {
      const { publicKey } = await fund(harness, funds)
      const symbol = asset.kind === 'native' ? 'SOL' : 'USDC'
      const paymentId = freshPaymentId()
      return refusal(
        buildTransfer({ client: harness.client, from: publicKey.toBase58(), asset, symbol, shares, paymentId }),
      )
    }
    const message = (what: string) => [{ field: 'payerWallet', message: `has an insufficient ${what}` }]
    expect((await attempt({ lamports: 1_000_000_000n, usdc: 9n })).errors).toEqual(message('USDC balance'))
    expect((await attempt({ lamports: 0n, usdc: 10n })).errors).toEqual(message('SOL balance for fees'))
    // Enough for the fee, not for the token account that the receiver does not have yet.
    expect((await attempt({ lamports: 2_000_000n, usdc: 10n })).errors).toEqual(message('SOL balance for fees'))
    expect((await attempt({ lamports: 5n, usdc: 0n }, SOL)).errors).toEqual(message('SOL balance'))
    const nobody = { client: harness.client, from: freshAddress(), asset: USDC, symbol: 'USDC', shares }
    expect((await refusal(buildTransfer({ ...nobody, paymentId: freshPaymentId() }))).errors).toEqual(
      message('USDC balance'),
    )
  })

  it('refuses receivers that do not fit into one transaction, however many there are', async () => {
    const receivers = (count: number) => Array.from({ length: count }, () => ({ wallet: freshAddress(), amount: 1n }))
    const most = await buildUsdc(harness, receivers(8))
    expect(Buffer.from(most.serialized, 'base64').length).toBeLessThanOrEqual(1232)
    for (const count of [9, 20, 40]) {
      const error = await refusal(buildUsdc(harness, receivers(count)))
      expect(error.code).toBe('validation_error')
      expect(error.errors?.[0]).toMatchObject({
        field: 'paymentId',
        message: expect.stringContaining('too many') as string,
      })
    }
  })

  it('refuses to pay a token account as if it were a wallet', async () => {
    const owner = freshAddress()
    const account = holdingAddress(owner, USDC.address)
    await harness.control.setAccounts([holding(account, { owner, mint: USDC.address, amount: 1n })])
    const error = await refusal(buildUsdc(harness, [{ wallet: account, amount: 1n }]))
    expect(error.errors).toEqual([
      { field: 'paymentId', message: 'has a receiver that is a token account or a program, not a wallet' },
    ])
  })

  it('hands out nothing that would fail, with the cause', async () => {
    const frozen = Keypair.generate().publicKey.toBase58()
    const account = holding(holdingAddress(frozen, USDC.address), { owner: frozen, mint: USDC.address, amount: 0n })
    const data = Uint8Array.from(account.data)
    data[108] = 2
    await harness.control.setAccounts([{ ...account, data }])
    const error = await refusal(buildUsdc(harness, [{ wallet: frozen, amount: 1n }]))
    // 17 is the token program's AccountFrozen.
    expect([error.code, error.details]).toEqual([
      'broadcast_simulation_failed',
      expect.stringContaining('{"InstructionError":[3,{"Custom":17}]}'),
    ])
  })

  it('tells an RPC that is away or too slow from a payer who is poor', async () => {
    const from = harness.payer.publicKey.toBase58()
    const shares = [{ wallet: freshAddress(), amount: 1n }]
    const build = (rpcUrl: string, timeoutMs: number) => {
      const client = createSolanaClient({ rpcUrl, commitment: 'confirmed' }, { timeoutMs })
      return refusal(buildTransfer({ client, from, asset: USDC, symbol: 'USDC', shares, paymentId: freshPaymentId() }))
    }
    expect((await build(await deadUrl(), 1_000)).code).toBe('provider_unavailable')
    const link = await startDroppingProxy(harness.solana.rpcUrl, 'simulateTransaction')
    expect((await build(link.url, 5_000)).code).toBe('provider_unavailable')
    await fetch(`${harness.solana.rpcUrl}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'slow', ms: 3_000, times: 3 }),
    })
    expect((await build(harness.solana.rpcUrl, 100)).code).toBe('provider_timeout')
    await fetch(`${harness.solana.rpcUrl}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'ok' }),
    })
  })
})
