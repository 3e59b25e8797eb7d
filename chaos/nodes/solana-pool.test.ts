import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { createTransferInstruction } from '@solana/spl-token'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { holdingAddress, seedSolana, SOLANA_TOKENS } from '../../sandbox/solana/seed.js'
import { startSolana, type Solana } from '../../sandbox/solana/solana.js'
import { resultAt } from './json-rpc.js'
import { startSolanaPool, type SolanaPool } from './solana-pool.js'

const payer = Keypair.generate()
const treasury = Keypair.generate()
const { mint } = SOLANA_TOKENS.USDC
const [holdingOfPayer, holdingOfTreasury] = [payer, treasury].map(
  ({ publicKey }) => new PublicKey(holdingAddress(publicKey.toBase58(), mint)),
)

let solana: Solana
let chain: Connection
let pool: SolanaPool
let node: Connection

beforeAll(async () => {
  solana = await startSolana({ log: createLog('silent') })
  await seedSolana(solana.rpcUrl, { payer: payer.publicKey.toBase58(), treasury: treasury.publicKey.toBase58() })
  chain = new Connection(solana.rpcUrl, 'confirmed')
})
afterAll(() => solana.stop())

beforeEach(async () => {
  pool = await startSolanaPool({ rpcUrl: solana.rpcUrl })
  node = new Connection(pool.nodes[0]?.url ?? '', { commitment: 'confirmed', disableRetryOnRateLimit: true })
  return () => pool.close()
})

const begin = (kind: string, details: Record<string, number> = {}) => pool.nodes[0]?.faults.begin({ kind, details })

/** The amounts tell the transactions apart: a chain takes the same message once. */
let amount = 1_000_000

async function pay(blockhash: string, via = chain) {
  const to = Keypair.generate().publicKey
  amount += 1
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 }).add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: amount }),
    createTransferInstruction(holdingOfPayer ?? to, holdingOfTreasury ?? to, payer.publicKey, 10),
  )
  transaction.sign(payer)
  return { to, lamports: amount, signature: await via.sendRawTransaction(transaction.serialize()) }
}

const blockhashNow = async (via = chain) => (await via.getLatestBlockhash()).blockhash
const statusAt = async (via: Connection, signature: string, searchTransactionHistory = false) =>
  via.getSignatureStatuses([signature], { searchTransactionHistory })
const amountOf = async (via: Connection, account: PublicKey | undefined) =>
  Number((await via.getTokenAccountBalance(account ?? payer.publicKey)).value.amount)

test('a lagging node shows slots, statuses, history and balances of its own slot', async () => {
  const before = await amountOf(chain, holdingOfTreasury)
  const old = await pay(await blockhashNow())
  await solana.advance(10)
  const young = await pay(await blockhashNow())
  begin('lag', { slots: 12 })
  const head = await chain.getSlot()

  expect(await node.getSlot()).toBeGreaterThanOrEqual(head - 12)
  expect(await node.getSlot()).toBeLessThan(head)
  expect(await statusAt(node, old.signature)).toMatchObject({ value: [{ confirmationStatus: 'finalized' }] })
  const { context, value } = await statusAt(node, young.signature, true)
  expect({ lag: context.slot < head, value }).toEqual({ lag: true, value: [null] })
  expect((await node.getSignaturesForAddress(payer.publicKey, { limit: 1 }))[0]?.signature).toBe(old.signature)
  expect(await node.getTransaction(young.signature, { maxSupportedTransactionVersion: 0 })).toBeNull()
  expect(await node.getTransaction(old.signature, { maxSupportedTransactionVersion: 0 })).not.toBeNull()
  expect(await node.getBalance(old.to)).toBe(old.lamports)
  expect(await node.getBalance(young.to)).toBe(0)
  expect(await node.getAccountInfo(young.to)).toBeNull()
  expect(await amountOf(chain, holdingOfTreasury)).toBe(before + 20)
  expect(await amountOf(node, holdingOfTreasury)).toBe(before + 10)
  const account = await node.getAccountInfo(holdingOfTreasury ?? payer.publicKey)
  expect(account?.data.readBigUInt64LE(64)).toBe(BigInt(before + 10))
})

test('a lagging node gives older blockhashes, and does not know the newest', async () => {
  begin('lag', { slots: 20 })
  const [ofNode, ofChain] = [await node.getLatestBlockhash(), await chain.getLatestBlockhash()]
  expect(ofChain.lastValidBlockHeight - ofNode.lastValidBlockHeight).toBeGreaterThanOrEqual(18)
  expect(await chain.isBlockhashValid(ofNode.blockhash)).toMatchObject({ value: true })
  expect(await node.isBlockhashValid(ofNode.blockhash)).toMatchObject({ value: true })
  expect(await node.isBlockhashValid(ofChain.blockhash)).toMatchObject({ value: false })
  await expect(pay(ofChain.blockhash, node)).rejects.toThrow('Blockhash not found')
  const { signature } = await pay(ofNode.blockhash, node)
  expect(await statusAt(chain, signature)).toMatchObject({ value: [{ err: null }] })
})

test('each node honours minContextSlot by itself, also where the history is asked for', async () => {
  const minContextSlot = await chain.getSlot()
  const ask = (index: number) =>
    resultAt(pool.nodes[index]?.url ?? '')('getSignaturesForAddress', [payer.publicKey.toBase58(), { minContextSlot }])
  begin('lag', { slots: 40 })
  await expect(ask(0)).rejects.toThrow('Minimum context slot has not been reached')
  expect(await ask(1)).toBeInstanceOf(Array)
})

test('a forgetful node knows a status from its cache, and nothing once it is out of there', async () => {
  const { signature } = await pay(await blockhashNow())
  begin('forget', { slots: 1_000 })
  expect(await statusAt(node, signature)).toMatchObject({ value: [{ err: null }] })
  expect(await node.getTransaction(signature, { maxSupportedTransactionVersion: 0 })).toBeNull()
  expect(await node.getSignaturesForAddress(payer.publicKey)).toEqual([])
  await solana.advance(160)
  expect(await statusAt(node, signature, true)).toMatchObject({ value: [null] })
  expect(await statusAt(chain, signature, true)).toMatchObject({ value: [{ err: null }] })
})

test('a node that swallows answers with the signature, and nothing lands', async () => {
  begin('swallow')
  const { signature, to } = await pay(await blockhashNow(), node)
  expect(await statusAt(chain, signature)).toMatchObject({ value: [null] })
  expect(await chain.getBalance(to)).toBe(0)
})
