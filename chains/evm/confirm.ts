import {
  isAddressEqual,
  parseEventLogs,
  erc20Abi,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import type { EvmChain } from '../chain.js'
import { readCanonical } from './canonical.js'
import type { EvmClient } from './client.js'
import { ask } from './rpc.js'

/**
 * Where a transaction is. `unknown`: the node has never heard of it, or forgot it; `pending`: it waits for a block;
 * `confirming`: in a block that is too young; `confirmed` and `reverted`: final by the chain's number of confirmations.
 */
export type Confirmation =
  | { state: 'unknown' | 'pending' }
  | { state: 'confirming'; blockNumber: bigint; receipt: TransactionReceipt }
  | { state: 'confirmed' | 'reverted'; blockNumber: bigint; receipt: TransactionReceipt }

/**
 * Reads a transaction's status once. A receipt counts where one node has its block at that height and as many blocks on
 * top as the chain asks for: the receipt itself may be another node's, which is on another branch.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readConfirmation(client: EvmClient, chain: EvmChain, hash: Hex): Promise<Confirmation> {
  const receipt = await readReceipt(client, hash)
  if (!receipt) return { state: (await isKnown(client, hash)) ? 'pending' : 'unknown' }
  const { blockNumber, blockHash } = receipt
  const { head, hashAt } = await readCanonical(client, [blockNumber])
  const canonical = hashAt(blockNumber)
  if (canonical === undefined) return { state: 'confirming', blockNumber, receipt }
  // The receipt is of a branch that another node has left, or has not come to.
  if (canonical.toLowerCase() !== blockHash.toLowerCase()) return { state: 'pending' }
  const age = head - blockNumber + 1n
  if (age < BigInt(chain.confirmations)) return { state: 'confirming', blockNumber, receipt }
  return { state: receipt.status === 'success' ? 'confirmed' : 'reverted', blockNumber, receipt }
}

/**
 * Whether the node has a transaction, waiting or in a block.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function isKnown(client: EvmClient, hash: Hex): Promise<boolean> {
  return ask('confirm', async () => {
    try {
      await client.getTransaction({ hash })
      return true
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return false
      throw error
    }
  })
}

/**
 * When the block was made that holds a transaction which succeeded; undefined where none does.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readMinedAt(client: EvmClient, hash: Hex): Promise<Date | undefined> {
  const receipt = await readReceipt(client, hash)
  if (receipt?.status !== 'success') return undefined
  const { timestamp } = await ask('confirm', () => client.getBlock({ blockNumber: receipt.blockNumber }))
  return new Date(Number(timestamp) * 1000)
}

async function readReceipt(client: EvmClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  return ask('confirm', async () => {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    }
  })
}

/** A movement of a token that a transaction must have made, in base units. */
export interface ExpectedTransfer {
  token: Address
  /** Left out: from anyone. */
  from?: Address
  to: Address
  value: bigint
}

/**
 * Whether a receipt shows every expected token transfer: each by a `Transfer` log of its own, of the exact value (two
 * equal transfers need two logs). A reverted transaction shows none.
 */
export function verifyTransfers(receipt: TransactionReceipt, expected: readonly ExpectedTransfer[]): boolean {
  if (receipt.status !== 'success') return false
  const shown = readTransfers(receipt)
  return expected.every((transfer) => takeTransfer(shown, transfer))
}

/** A movement of a token that a receipt shows by a log of its own. */
export type ShownTransfer = Required<ExpectedTransfer>

/** The movements of tokens that a receipt shows, in their order; a reverted transaction shows none. */
export function readTransfers(receipt: TransactionReceipt): ShownTransfer[] {
  if (receipt.status !== 'success') return []
  const logs = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
  return logs.map(({ address: token, args }) => ({ token, ...args }))
}

/** Takes an expected movement out of those that are shown, so that each counts once. Returns whether it was there. */
export function takeTransfer(shown: ShownTransfer[], expected: ExpectedTransfer): boolean {
  const index = shown.findIndex(
    ({ token, from, to, value }) =>
      value === expected.value &&
      isAddressEqual(to, expected.to) &&
      isAddressEqual(token, expected.token) &&
      (expected.from === undefined || isAddressEqual(from, expected.from)),
  )
  if (index !== -1) shown.splice(index, 1)
  return index !== -1
}

/**
 * Whether a transaction that succeeded moved exactly `value` wei from `from` to `to`. The chain is asked, because a
 * receipt does not hold the value.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function verifyNativeTransfer(
  client: EvmClient,
  receipt: TransactionReceipt,
  expected: { from: Address; to: Address; value: bigint },
): Promise<boolean> {
  if (receipt.status !== 'success') return false
  const transaction = await ask('confirm', () => client.getTransaction({ hash: receipt.transactionHash }))
  return (
    isAddressEqual(transaction.from, expected.from) &&
    transaction.to !== null &&
    isAddressEqual(transaction.to, expected.to) &&
    transaction.value === expected.value
  )
}
