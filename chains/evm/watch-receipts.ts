import type { Hex, TransactionReceipt } from 'viem'
import type { EvmChain } from '../chain.js'
import { createChainWatch, type ChainWatch, type LookFor, type WatchRuntime } from '../watch.js'
import { askInParts, numberOf } from './batch.js'
import { blockReceipts, readReceipt, receiptOf } from './block-receipts.js'
import { readCanonical } from './canonical.js'
import type { EvmClient } from './client.js'
import type { Confirmation } from './confirm.js'
import { followBlocks, type FollowedBlocks } from './followed-blocks.js'

/** Where a transaction has come to its end by the chain's number of confirmations. */
export type MinedTransaction = Extract<Confirmation, { state: 'confirmed' | 'reverted' }>

/** Between two looks for a new block. */
const POLL_MS = 250
/** So many transactions are asked for by their hashes in one look. */
const OLDER_MAX = 100

/**
 * Watches a chain for all transactions that are waited for: one call for the head in each interval, and for a block that
 * has some of them one more, however many they are.
 */
export function watchReceipts(
  client: EvmClient,
  chain: Pick<EvmChain, 'confirmations'>,
  runtime: WatchRuntime,
): ChainWatch<MinedTransaction> {
  return createChainWatch({ look: lookByBlock(client, chain, runtime.nowMs), pollMs: POLL_MS }, runtime)
}

/**
 * What looks for transactions block by block. A block counts on the branch of the newest one that was seen, and as old as
 * that branch is long. A transaction that is looked for the first time may be in an older block, so it is asked for by its
 * hash, until a node that is as far as the newest block says that it has none.
 */
export function lookByBlock(
  client: EvmClient,
  chain: Pick<EvmChain, 'confirmations'>,
  nowMs: () => number,
): LookFor<MinedTransaction> {
  const blocks = followBlocks(client)
  const readOfBlock = blockReceipts(client, nowMs)
  const mined = new Map<string, TransactionReceipt>()
  /** Those of which it is known that no block up to the newest has them, or which one. */
  const covered = new Set<string>()
  const forget = (hash: string): void => {
    mined.delete(hash)
    covered.delete(hash)
  }

  const readNewBlocks = async (wanted: ReadonlySet<string>): Promise<void> => {
    const news = await blocks.readNew(wanted.size)
    const receipts: TransactionReceipt[] = []
    for (const block of news.blocks) {
      const hashes = block.transactions.filter((hash) => wanted.has(hash))
      if (hashes.length > 0) receipts.push(...(await readOfBlock(block, hashes)))
    }
    blocks.accept(news)
    if (news.isRestart) for (const hash of [...covered]) forget(hash)
    for (const [hash, { blockNumber, blockHash }] of mined) {
      const present = blocks.hashAt(blockNumber)
      if (present !== undefined && present !== blockHash) mined.delete(hash)
    }
    for (const receipt of receipts) mined.set(receipt.transactionHash, receipt)
  }
  const readOlder = async (hashes: readonly string[]): Promise<void> => {
    const asked = hashes.filter((hash) => !covered.has(hash)).slice(0, OLDER_MAX) as Hex[]
    if (asked.length === 0) return
    const parts = await askInParts(client, asked.map(receiptOf), [{ method: 'eth_blockNumber', params: [] }])
    const told = parts.flatMap(({ shared: [head], answers }) =>
      answers.map((answer) => ({ head: numberOf(head), answer })),
    )
    for (const [index, { head, answer }] of told.entries()) {
      const hash = asked[index] ?? '0x'
      const receipt = 'result' in answer ? readReceipt(answer.result) : undefined
      const isFarEnough = head >= (blocks.newest()?.number ?? 0n)
      if (receipt) mined.set(hash, receipt)
      if (receipt || (isFarEnough && 'result' in answer)) covered.add(hash)
    }
  }
  return async (hashes) => {
    const wanted = new Set(hashes)
    for (const hash of [...covered, ...mined.keys()]) if (!wanted.has(hash)) forget(hash)
    await readNewBlocks(wanted)
    await readOlder(hashes)
    const heightOf = await readHeights(client, blocks, [...mined.values()])
    const ended = new Map<string, MinedTransaction>()
    const confirming = new Set<string>()
    for (const [hash, receipt] of mined) {
      const height = heightOf(receipt)
      const { blockNumber } = receipt
      // What an older look has shown and this node does not have is looked for anew.
      if (height === undefined) forget(hash)
      else if (height - blockNumber + 1n >= BigInt(chain.confirmations)) {
        ended.set(hash, { state: receipt.status === 'success' ? 'confirmed' : 'reverted', blockNumber, receipt })
      } else confirming.add(hash)
    }
    return { ended, confirming }
  }
}

/**
 * How far the branch goes that has a receipt's block; undefined where that block has left the chain. Blocks older than what is
 * followed are asked for, all of one node.
 */
async function readHeights(
  client: EvmClient,
  blocks: FollowedBlocks,
  receipts: readonly TransactionReceipt[],
): Promise<(receipt: TransactionReceipt) => bigint | undefined> {
  const numbers = receipts.map(({ blockNumber }) => blockNumber)
  const older = new Set(numbers.filter((number) => blocks.hashAt(number) === undefined))
  const view = older.size === 0 ? undefined : await readCanonical(client, [...older])
  return ({ blockNumber, blockHash }) => {
    if (blocks.hashAt(blockNumber) === blockHash) return blocks.newest()?.number
    return older.has(blockNumber) && view?.hashAt(blockNumber) === blockHash ? view.head : undefined
  }
}
