import {
  isAddressEqual,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type Address,
  type Hex,
  type Transaction,
  type TransactionSerialized,
} from 'viem'
import type { EvmChain } from '../chain.js'
import type { EvmClient } from './client.js'
import { readFinality } from './canonical.js'
import { findMined, isBy, type NonceOf } from './find-mined.js'
import { isNonceTaken, isNonceTakenAt } from './nonce-taken.js'
import { ask } from './rpc.js'

/**
 * What became of a signed transaction's nonce. `replacement`: another transaction that makes the same call took it; `taken`: it is
 * proven that another one did, or one waits with it; `free`: as far as the nodes that answered can tell.
 */
export type NonceUse = { kind: 'free' } | { kind: 'taken' } | { kind: 'replacement'; hash: Hex }

/** What a transaction does, whoever pays however much for its gas. */
interface Call {
  to: Address | null
  value: bigint
  data: Hex
}

/**
 * Whether the nonce of a signed transaction was used, and by whom. A wallet that speeds a transaction up sends the same
 * call with other fees, so it has another hash and is the same payment.
 * @param raw canonical bytes, see `verifySigned`
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readNonceUse(
  client: EvmClient,
  chain: Pick<EvmChain, 'confirmations'>,
  raw: Hex,
): Promise<NonceUse> {
  const call = await callOf(raw)
  const used = await ask('confirm', () => client.getTransactionCount({ address: call.from, blockTag: 'latest' }))
  const taker = used > call.nonce ? (await findMined(client, call)).transaction : await findWaiting(client, call)
  if (taker && isSameCall(call, taker)) return { kind: 'replacement', hash: taker.hash }
  if (taker && used <= call.nonce) return { kind: 'taken' }
  const proof = { account: call.from, nonce: call.nonce, hashes: [keccak256(raw)] }
  return { kind: (await isNonceTaken(client, chain, proof)) ? 'taken' : 'free' }
}

/**
 * Whether a final block proves that another call took the nonce of a signed transaction. What is not final may be taken back once more: a
 * block that took it a moment ago, and all the more what waits with it in a pool.
 * @param hash under which the transaction landed, which may be another than that of its bytes
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function isReplacedForGood(
  client: EvmClient,
  chain: Pick<EvmChain, 'finalityBlocks'>,
  raw: Hex,
  hash: Hex,
): Promise<boolean> {
  const { from: account, nonce } = await callOf(raw)
  const { final } = await readFinality(client, chain, [])
  return isNonceTakenAt(client, final, { account, nonce, hashes: [...new Set([keccak256(raw), hash])] })
}

/** The sender and nonce of a signed transaction, and what it calls. */
async function callOf(raw: Hex): Promise<Call & NonceOf> {
  const { nonce = 0, to = null, value = 0n, data = '0x' } = parseTransaction(raw)
  const from = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })
  return { from, nonce, to, value, data }
}

/** Whether a transaction makes a call. */
export function isSameCall(call: Call, { to, value, input }: Transaction): boolean {
  if (to === null || call.to === null || !isAddressEqual(to, call.to)) return false
  return value === call.value && input.toLowerCase() === call.data.toLowerCase()
}

async function findWaiting(client: EvmClient, call: NonceOf): Promise<Transaction | undefined> {
  return client.getBlock({ blockTag: 'pending', includeTransactions: true }).then(
    ({ transactions }) => transactions.find((transaction) => isBy(call, transaction as Transaction)),
    // Not all nodes show what waits.
    () => undefined,
  ) as Promise<Transaction | undefined>
}
