import { type Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { TOKEN_PROGRAM_ID } from '../../../chains/solana/token.js'
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

it('a withdrawal of SOL works though somebody else may close the wrapped account', async () => {
  const wallet = await harness.newWallet()
  await send(wallet, await depositYield(deps, TENANT, inSol(wallet, '10')))
  await wrap(wallet, 0n, PublicKey.unique())
  await send(wallet, await withdrawYield(deps, TENANT, inSol(wallet, '4')))
  expect(await harness.balanceOf(wallet.publicKey, mint)).toBeGreaterThanOrEqual(4_000_000_000n)
})
