import type { Hex, TransactionReceipt } from 'viem'
import type { EvmChain } from '../chain.js'
import { createChainWatch, type ChainWatch, type LookFor, type WatchRuntime } from '../watch.js'
import { askInParts, numberOf } from './batch.js'
import { blockReceipts, readReceipt, receiptOf } from './block-receipts.js'
import type { EvmClient } from './client.js'
import type { Confirmation } from './confirm.js'
import { followBlocks } from './followed-blocks.js'

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
 * hash, until a node that is as far as the newest block says that it has none. That older block is read once.
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
    const newest = blocks.newest()?.number ?? 0n
    const told = parts.flatMap(({ shared: [head], answers }) =>
      answers.map((answer) => ({ head: numberOf(head), answer })),
    )
    for (const [index, { head, answer }] of told.entries()) {
      const hash = asked[index] ?? '0x'
      const receipt = 'result' in answer ? readReceipt(answer.result) : undefined
      // A node that is ahead has it: the next look follows that far.
      if (receipt && receipt.blockNumber > newest) continue
      if (receipt) mined.set(hash, receipt)
      if (receipt || (head >= newest && 'result' in answer)) covered.add(hash)
    }
  }
  return async (hashes) => {
    const wanted = new Set(hashes)
    for (const hash of [...covered, ...mined.keys()]) if (!wanted.has(hash)) forget(hash)
    await readNewBlocks(wanted)
    await readOlder(hashes)
    await blocks.readOlder([...mined.values()].map(({ blockNumber }) => blockNumber))
    const newest = blocks.newest()?.number ?? 0n
    const ended = new Map<string, MinedTransaction>()
    const confirming = new Set<string>()
    for (const [hash, receipt] of mined) {
      const { blockNumber, blockHash } = receipt
      const present = blocks.hashAt(blockNumber)
      // No node on this branch was asked: this look shows nothing of it.
      if (present === undefined) continue
      // What another branch has is looked for anew.
      if (present !== blockHash) forget(hash)
      else if (newest - blockNumber + 1n >= BigInt(chain.confirmations)) {
        ended.set(hash, { state: receipt.status === 'success' ? 'confirmed' : 'reverted', blockNumber, receipt })
      } else confirming.add(hash)
    }
    return { ended, confirming }
  }
}
