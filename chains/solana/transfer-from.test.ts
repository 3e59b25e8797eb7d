import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { readStatuses, verifyTransfer } from './confirm.js'
import { sendWire } from './broadcast.js'
import { advanceNonce, createNonces, nonceAddresses, readNonceRent, readNonces } from './durable-nonces.js'
import { readLatestBlockhash } from './blockhash.js'
import { movesNothing, raisePrice, useUpNonce } from './replace.js'
import { localSolanaSigner } from './signer.js'
import { balanceOf, freshAddress } from '../../test/harness/solana-side.js'
import { freshPaymentId, startSolanaHarness, USDC } from '../../test/harness/solana.js'
import { paymentKey, paymentMemo, type Transfer } from './transfer.js'
import { preparePayout, signInstructions, signPayout } from './transfer-from.js'

describe('paying out from the treasury', async () => {
  const harness = await startSolanaHarness()

  const signer = localSolanaSigner(harness.treasury.secretKey)
  const accounts = nonceAddresses(signer.address)
  const { client } = harness
  const sendNow = async (instructions: Parameters<typeof signInstructions>[1]) => {
    const { blockhash } = await readLatestBlockhash(client)
    const { raw } = await signInstructions(signer, instructions, blockhash)
    expect(await sendWire(client, raw)).toEqual({ kind: 'sent' })
    await harness.solana.advance(1)
  }
  let places = 0
  /** Of five accounts that one transaction has created. */
  const newNonce = async () => {
    if (places % 5 === 0) {
      const rent = await readNonceRent(client)
      await sendNow(createNonces(signer.address, [0, 1, 2, 3, 4].map((place) => places + place), rent)) // prettier-ignore
    }
    const account = accounts[places++] ?? ''
    const { slot, values } = await readNonces(client, [account], 0)
    return { account, value: values[0] ?? '', slot }
  }
  const held = ({ shares }: Transfer) => Promise.all(shares.map(({ wallet }) => balanceOf(harness, wallet)))
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
    const transfer = payout([700_001n, 300_000n])
    const terms = await preparePayout(client, harness.chain, transfer, await newNonce())
    const written = JSON.parse(JSON.stringify({ ...terms, transfer: undefined })) as typeof terms
    const first = await signPayout(signer, terms)
    const again = await signPayout(localSolanaSigner(harness.treasury.secretKey.slice(0, 32)), { ...written, transfer })
    expect(again).toEqual(first)
    expect(await sendWire(client, first.raw)).toEqual({ kind: 'sent' })
    expect(await sendWire(client, again.raw)).toMatchObject({ kind: 'expired' })
    expect((await readStatuses(client, [first.signature])).statuses).toMatchObject([{ err: null }])
    expect(await verifyTransfer(client, first.signature, transfer)).toBe(true)
    expect(await held(transfer)).toEqual([700_001n, 300_000n])
  })

  it('lets one of all land that were signed for a nonce: the payout, it at a higher price, or what only uses it up', async () => {
    const transfer = payout([700_001n])
    const { raw } = await signPayout(signer, await preparePayout(client, harness.chain, transfer, await newNonce()))
    const raised = await raisePrice(client, harness.chain, signer, raw)
    const cancelled = await useUpNonce(signer, raw)
    expect([raw, raised?.raw ?? '', cancelled.raw].map(movesNothing)).toEqual([false, false, true])
    expect(await sendWire(client, cancelled.raw)).toEqual({ kind: 'sent' })
    for (const late of [raw, raised?.raw ?? '']) {
      expect(await sendWire(client, late)).toMatchObject({ kind: 'expired' })
      await client.call('sendTransaction', [late, { encoding: 'base64', skipPreflight: true }])
    }
    expect(await held(transfer)).toEqual([0n])
    const other = payout([5n])
    const signed = await signPayout(signer, await preparePayout(client, harness.chain, other, await newNonce()))
    const dearer = (await raisePrice(client, harness.chain, signer, signed.raw))?.raw ?? ''
    expect(await raisePrice(client, { name: 'x', computePriceMaxMicroLamports: 1_000 }, signer, signed.raw)).toBe(undefined) // prettier-ignore
    expect(await sendWire(client, dearer)).toEqual({ kind: 'sent' })
    expect(await sendWire(client, signed.raw)).toMatchObject({ kind: 'expired' })
    expect(await held(other)).toEqual([5n])
  })

  it('renews as many nonces at once as fit into a transaction', async () => {
    const rent = await readNonceRent(client)
    for (const first of [20, 25, 30, 35])
      await sendNow(createNonces(signer.address, [0, 1, 2, 3, 4].map((place) => first + place), rent)) // prettier-ignore
    const some = accounts.slice(20, 40)
    const before = await readNonces(client, some, 0)
    await sendNow(some.map((account) => advanceNonce(signer.address, account)))
    const after = await readNonces(client, some, before.slot)
    expect(after.values.filter((value, index) => value === undefined || value === before.values[index])).toEqual([])
  })

  it('says before it signs that the treasury has too little', async () => {
    const tooMuch = preparePayout(client, harness.chain, payout([10n ** 15n]), await newNonce())
    await expect(tooMuch).rejects.toMatchObject({ code: 'broadcast_simulation_failed' })
  })

  it('signs for its own account only, and takes no key whose halves differ', async () => {
    const stranger = localSolanaSigner(Keypair.generate().secretKey)
    const terms = await preparePayout(client, harness.chain, payout([1n]), await newNonce())
    await expect(signPayout(stranger, terms)).rejects.toThrow(RangeError)
    const mixed = Uint8Array.from(Keypair.generate().secretKey)
    mixed.set(Keypair.generate().secretKey.subarray(32), 32)
    expect(() => localSolanaSigner(mixed)).toThrow(RangeError)
    expect(() => localSolanaSigner(new Uint8Array(31))).toThrow(RangeError)
  })
})
