import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { readConfirmation, verifyTransfer } from './confirm.js'
import { broadcast } from './broadcast.js'
import { localSolanaSigner } from './signer.js'
import { balanceOf, freshAddress } from '../../test/harness/solana-side.js'
import { freshPaymentId, startSolanaHarness, USDC } from '../../test/harness/solana.js'
import { paymentKey, paymentMemo, type Transfer } from './transfer.js'
import { preparePayout, signPayout } from './transfer-from.js'

describe('paying out from the treasury', async () => {
  const harness = await startSolanaHarness()

  const noAttempt = () => Promise.reject(new Error('no node called it expired'))
  const payout = (amounts: readonly bigint[], from = harness.treasury.publicKey.toBase58()): Transfer => {
    const paymentId = freshPaymentId()
    return {
      from,
      asset: USDC,
      shares: amounts.map((amount) => ({ wallet: freshAddress(), amount })),
      memo: paymentMemo(paymentId),
      reference: paymentKey(paymentId),
    }
  }

  it('pays every receiver, and once however often the same terms are signed and sent', async () => {
    const signer = localSolanaSigner(harness.treasury.secretKey)
    const transfer = payout([700_001n, 300_000n])
    const terms = await preparePayout(harness.client, harness.chain, transfer)
    const written = JSON.parse(JSON.stringify({ ...terms, transfer: undefined })) as typeof terms
    const first = await signPayout(signer, terms)
    const again = await signPayout(localSolanaSigner(harness.treasury.secretKey.slice(0, 32)), { ...written, transfer })
    expect(again).toEqual(first)
    await broadcast(harness.client, first.raw, noAttempt)
    await broadcast(harness.client, again.raw, noAttempt)
    const { signature } = first
    expect(
      await readConfirmation(harness.client, harness.chain, { ...terms, signature, reference: transfer.reference }),
    ).toMatchObject({
      state: 'confirmed',
    })
    expect(await verifyTransfer(harness.client, signature, transfer)).toBe(true)
    expect(await Promise.all(transfer.shares.map(({ wallet }) => balanceOf(harness, wallet)))).toEqual([
      700_001n,
      300_000n,
    ])
  })

  it('says before it signs that the treasury has too little', async () => {
    await expect(preparePayout(harness.client, harness.chain, payout([10n ** 15n]))).rejects.toMatchObject({
      code: 'broadcast_simulation_failed',
    })
  })

  it('signs for its own account only, and takes no key whose halves differ', async () => {
    const signer = localSolanaSigner(Keypair.generate().secretKey)
    const terms = await preparePayout(harness.client, harness.chain, payout([1n]))
    await expect(signPayout(signer, terms)).rejects.toThrow(RangeError)
    const mixed = Uint8Array.from(Keypair.generate().secretKey)
    mixed.set(Keypair.generate().secretKey.subarray(32), 32)
    expect(() => localSolanaSigner(mixed)).toThrow(RangeError)
    expect(() => localSolanaSigner(new Uint8Array(31))).toThrow(RangeError)
  })
})
