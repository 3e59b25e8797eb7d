import { PublicKey, SystemProgram, Transaction, TransactionInstruction, type Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { freshAddress, fund } from '../../test/harness/solana-side.js'
import { SOL, startSolanaHarness, USDC } from '../../test/harness/solana.js'
import { SOLANA_TOKENS } from '../../sandbox/solana/seed.js'
import { findRouteViolation } from './check-route.js'
import {
  associatedTokenAddress,
  createAssociatedTokenAccountIdempotent,
  TOKEN_PROGRAM_ID,
  transferChecked,
} from './token.js'

const harness = await startSolanaHarness()
const payer = await fund(harness, { more: { [SOLANA_TOKENS.USDT.mint]: 5_000_000n } })
const seller = await fund(harness, { usdc: 0n, more: { [SOLANA_TOKENS.USDT.mint]: 500_000_000n } })
const receiver = new PublicKey(freshAddress())
const [usdc, usdt] = [new PublicKey(SOLANA_TOKENS.USDC.mint), new PublicKey(SOLANA_TOKENS.USDT.mint)]

const move = (from: PublicKey, to: PublicKey, mint: PublicKey, amount: bigint): TransactionInstruction[] => [
  createAssociatedTokenAccountIdempotent({ payer: payer.publicKey, owner: to, mint }),
  transferChecked({
    source: associatedTokenAddress(from, mint),
    mint,
    destination: associatedTokenAddress(to, mint),
    owner: from,
    amount,
    decimals: 6,
  }),
]
/** 10 USDC of the payer for 10 USDT of the seller, who signs beforehand. */
const swap = () => [
  ...move(payer.publicKey, seller.publicKey, usdc, 10_000_000n),
  ...move(seller.publicKey, receiver, usdt, 10_000_000n),
]

async function wireOf(
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[] = [seller],
  feePayer = payer.publicKey,
): Promise<string> {
  const { blockhash, lastValidBlockHeight } = await harness.client.connection.getLatestBlockhash()
  const transaction = new Transaction({ feePayer, blockhash, lastValidBlockHeight }).add(...instructions)
  for (const signer of signers) transaction.partialSign(signer)
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
}

const check = (wire: string, bounds: object = {}) =>
  findRouteViolation(harness.client, wire, {
    payer: payer.publicKey.toBase58(),
    asset: USDC,
    amountIn: 10_000_000n,
    ...bounds,
  })

/** spl-token: Approve (4) and SetAuthority (6, of the owner's kind 2). */
const approve = (amount: bigint): TransactionInstruction => {
  const data = Buffer.alloc(9)
  data[0] = 4
  data.writeBigUInt64LE(amount, 1)
  return tokenInstruction(data, [seller.publicKey])
}
const giveAway = (): TransactionInstruction =>
  tokenInstruction(Buffer.concat([Buffer.from([6, 2, 1]), seller.publicKey.toBuffer()]), [])
const tokenInstruction = (data: Buffer, others: readonly PublicKey[]) =>
  new TransactionInstruction({
    programId: TOKEN_PROGRAM_ID,
    keys: [
      { pubkey: associatedTokenAddress(payer.publicKey, usdt), isSigner: false, isWritable: true },
      ...others.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })),
      { pubkey: payer.publicKey, isSigner: true, isWritable: false },
    ],
    data,
  })

describe("a router's transaction on Solana", () => {
  it('passes where it takes what was agreed, and pays by another account', async () => {
    expect(await check(await wireOf(swap()))).toBeUndefined()
  })

  it('is refused where it takes more of the token, or any of another one', async () => {
    const wire = await wireOf(swap())
    expect(await check(wire, { amountIn: 9_999_999n })).toBe('tokens')
    const other = [...swap(), ...move(payer.publicKey, seller.publicKey, usdt, 1n)]
    expect(await check(await wireOf(other))).toBe('tokens')
  })

  it('is refused where it takes more SOL than was agreed and fees need', async () => {
    const tip = (lamports: number) =>
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: seller.publicKey, lamports })
    expect(await check(await wireOf([...swap(), tip(20_000_000)]))).toBe('lamports')
    const coin = [tip(1_000_000_000), ...move(seller.publicKey, receiver, usdt, 10_000_000n)]
    expect(await check(await wireOf(coin), { asset: SOL, amountIn: 1_000_000_000n })).toBeUndefined()
    expect(await check(await wireOf(coin), { asset: SOL, amountIn: 900_000_000n })).toBe('lamports')
    expect(await check(await wireOf(coin))).toBe('lamports')
  })

  it('is refused where somebody could take the rest later: a delegate, another owner, the wallet itself', async () => {
    expect(await check(await wireOf([...swap(), approve(1n)]))).toBe('holding')
    expect(await check(await wireOf([...swap(), giveAway()]))).toBe('holding')
    const assign = SystemProgram.assign({ accountPubkey: payer.publicKey, programId: TOKEN_PROGRAM_ID })
    expect(await check(await wireOf([...swap(), assign]))).toBe('wallet')
  })

  it('is refused where another pays the fee, another signature lacks or is wrong, or it is no transaction', async () => {
    expect(await check(await wireOf(swap(), [], seller.publicKey))).toBe('feePayer')
    expect(await check(await wireOf(swap(), []))).toBe('signatures')
    const wire = Buffer.from(await wireOf(swap()), 'base64')
    wire[70] = (wire[70] ?? 0) ^ 1
    expect(await check(wire.toString('base64'))).toBe('signatures')
    expect(await check('AAAA')).toBe('wire')
    expect(await check('not base64!')).toBe('wire')
  })

  it('that would fail is told as such', async () => {
    const tooMuch = move(payer.publicKey, seller.publicKey, usdc, 10_000_000_000n)
    await expect(check(await wireOf(tooMuch, []))).rejects.toMatchObject({ code: 'broadcast_simulation_failed' })
  })
})
