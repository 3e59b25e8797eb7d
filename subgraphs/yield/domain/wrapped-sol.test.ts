import { type Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { TOKEN_PROGRAM_ID } from '../../../chains/solana/token.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { broadcastsOf, inUsdc } from '../fixtures/broadcasts.js'
import { depositYield } from './deposit-yield.js'
import { createIfMissing, holdingOf, wrapSol } from './token-holding.js'
import { withdrawYield } from './withdraw-yield.js'

const harness = await startYieldHarness()
const { deps } = harness
const { broadcast } = broadcastsOf(harness)
const { mint } = harness.marketOf('beta', 'SOL').asset

const inSol = (wallet: Keypair, amount: string) => ({ ...inUsdc(wallet, amount), asset: 'SOL' })
const send = (wallet: Keypair, { transaction }: { transaction: string }) => broadcast([sign(wallet, transaction)])

const DEAR = { answer: { result: [{ slot: 1, prioritizationFee: 1_000_000 }] } }

/** Wraps SOL in the wallet's own account, as other programs do; of another one's to close. */
const wrap = async (wallet: Keypair, lamports: bigint, closer?: PublicKey) => {
  const holding = holdingOf(wallet.publicKey, mint, null)
  const keys = [
    { pubkey: holding.address, isSigner: false, isWritable: true },
    { pubkey: wallet.publicKey, isSigner: true, isWritable: false },
  ]
  // SetAuthority, of closing the account.
  const data = Buffer.from([6, 3, 1, ...(closer?.toBytes() ?? [])])
  const given = closer ? [new TransactionInstruction({ programId: TOKEN_PROGRAM_ID, keys, data })] : []
  const { blockhash } = await harness.client.connection.getLatestBlockhash()
  const transaction = new Transaction({ feePayer: wallet.publicKey, blockhash, lastValidBlockHeight: 0 })
  transaction.add(...createIfMissing(holding), ...wrapSol(holding, lamports), ...given)
  transaction.sign(wallet)
  await harness.client.connection.sendRawTransaction(transaction.serialize())
}

it('a withdrawal of SOL leaves a wrapped account that holds something as it was, with what comes out in it', async () => {
  const wallet = await harness.newWallet()
  await send(wallet, await depositYield(deps, TENANT, inSol(wallet, '10')))
  await wrap(wallet, 5_000_000_000n)
  await send(wallet, await withdrawYield(deps, TENANT, inSol(wallet, '4')))
  expect(await harness.balanceOf(wallet.publicKey, mint)).toBeGreaterThanOrEqual(9_000_000_000n)
})

it('a deposit of SOL takes what a withdrawal has left wrapped, and wraps only what is missing', async () => {
  const wallet = await harness.newWallet()
  const lamports = () => harness.client.connection.getBalance(wallet.publicKey)
  await send(wallet, await depositYield(deps, TENANT, inSol(wallet, '60')))
  await wrap(wallet, 20_000_000_000n)
  await send(wallet, await withdrawYield(deps, TENANT, inSol(wallet, '50')))
  // Of its 100 SOL the wallet has some 20 as such and 70 wrapped: neither alone is enough for the second deposit.
  const before = await lamports()
  await send(wallet, await depositYield(deps, TENANT, inSol(wallet, '30')))
  // A withdrawal pays some lamports more, as its shares have earned in between.
  const left = Number(await harness.balanceOf(wallet.publicKey, mint))
  expect([left >= 40_000_000_000, left < 40_000_100_000]).toEqual([true, true])
  expect(before - (await lamports())).toBeLessThan(20_000_000)
  await send(wallet, await depositYield(deps, TENANT, inSol(wallet, '45')))
  expect(await harness.balanceOf(wallet.publicKey, mint)).toBe(0n)
  expect(before - (await lamports())).toBeLessThan(5_020_000_000)
})

it('a deposit of SOL that both kinds together do not cover is refused, and so is one that leaves too little for the fee', async () => {
  const wallet = await harness.newWallet()
  await wrap(wallet, 40_000_000_000n)
  const deposit = (amount: string) => depositYield(deps, TENANT, inSol(wallet, amount))
  const refused = (message: string) => ({ code: 'validation_error', errors: [{ field: 'amount', message }] })
  const lamports = BigInt(await harness.client.connection.getBalance(wallet.publicKey))
  const held = fromBaseUnits(lamports + 40_000_000_000n, 9)
  await expect(deposit('100')).rejects.toMatchObject(refused(`is more than the wallet holds (${held} SOL)`))
  // Beside the rent of the share account and what a wallet has to keep, 0.000006 SOL are left: a cheap fee, and not a dear one.
  const most = fromBaseUnits(lamports + 40_000_000_000n - 2_936_000n, 9)
  harness.rpc.onCall = ({ method }) => (method === 'getRecentPrioritizationFees' ? DEAR : 'pass')
  await expect(deposit(most)).rejects.toMatchObject(refused('leaves the wallet too little SOL for the fee'))
  harness.rpc.onCall = () => 'pass'
})

it('a withdrawal of SOL works though somebody else may close the wrapped account', async () => {
  const wallet = await harness.newWallet()
  await send(wallet, await depositYield(deps, TENANT, inSol(wallet, '10')))
  await wrap(wallet, 0n, PublicKey.unique())
  await send(wallet, await withdrawYield(deps, TENANT, inSol(wallet, '4')))
  expect(await harness.balanceOf(wallet.publicKey, mint)).toBeGreaterThanOrEqual(4_000_000_000n)
})
