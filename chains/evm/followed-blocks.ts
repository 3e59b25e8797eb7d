import type { Hex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import { readHeaders, readNewestHeader, type BlockHeader } from './block-headers.js'
import { readAncestors } from './canonical.js'
import type { EvmClient } from './client.js'

/** So many blocks are kept; a reorganisation that goes deeper is followed from anew. */
const KEPT_MAX = 256n
/** So many new blocks are read at once; after a longer pause the chain is followed from anew. */
const GAP_MAX = 64n
/** So few are always read, in one request. */
const GAP_MIN = 8n
/** So many blocks are read at once below a fork. */
const STEP = 8n

/** The blocks of a chain as its parents link them, from where following began to the newest. */
export interface FollowedBlocks {
  /** The newest block; undefined before the first. */
  newest: () => BlockHeader | undefined
  /** The hash of a block on this branch; undefined where it is older than what is kept, and was not read by `readOlder`. */
  hashAt: (number: bigint) => Hex | undefined
  /**
   * Looks for a new block. Its parents are read down to one that is known, so that nothing of another branch is taken for
   * this one. After a pause of more blocks than transactions are waited for the chain is followed from anew: these cost fewer
   * calls by their hashes.
   * @param waiting how many transactions are waited for
   * @returns the blocks that are new, the oldest first, for `accept`; `restarted` where what came before is not known; none
   *   where there is nothing new, or the node is behind
   * @throws AppError `confirm_rpc_unavailable`
   */
  readNew: (waiting: number) => Promise<{ blocks: readonly BlockHeader[]; isRestart: boolean }>
  /**
   * Reads which blocks this branch has at heights below what is kept, for `hashAt`. It has them for as long as it is followed, so each is
   * read once; those that are not named any more are forgotten.
   * @throws AppError `confirm_rpc_unavailable`
   */
  readOlder: (numbers: readonly bigint[]) => Promise<void>
  /** Takes new blocks over, once all has been read of them. What they replace is forgotten. */
  accept: (news: { blocks: readonly BlockHeader[]; isRestart: boolean }) => void
}

/** Follows a chain's blocks; nothing is asked before `readNew`. */
export function followBlocks(client: EvmClient): FollowedBlocks {
  const hashes = new Map<bigint, Hex>()
  /** Of blocks below the lowest one. A fork that goes as deep is followed from anew. */
  const older = new Map<bigint, Hex>()
  let top: BlockHeader | undefined
  let lowest = 0n
  const restart = (head: BlockHeader) => ({ blocks: [head], isRestart: true })
  return {
    newest: () => top,
    hashAt: (number) => hashes.get(number) ?? older.get(number),
    readNew: async (waiting) => {
      const head = await readNewestHeader(client)
      if (!top) return restart(head)
      if (head.hash === top.hash || head.number < top.number) return { blocks: [], isRestart: false }
      if (head.number - top.number > gapMax(waiting)) return restart(head)
      const added = [head]
      for (;;) {
        const child = added.at(-1) ?? head
        const below = child.number - 1n
        if (hashes.get(below) === child.parentHash) return { blocks: added.toReversed(), isRestart: false }
        if (below < lowest) return restart(head)
        const oldest = below > top.number ? top.number + 1n : max(below - STEP + 1n, lowest)
        for (const header of await readHeaders(client, below, oldest)) {
          if (header.hash !== added.at(-1)?.parentHash) throw unlinked()
          added.push(header)
        }
      }
    },
    readOlder: async (numbers) => {
      const named = new Set(numbers.filter((number) => number < lowest))
      for (const number of [...older.keys()]) if (!named.has(number)) older.delete(number)
      const unread = [...named].filter((number) => !older.has(number))
      const hash = hashes.get(lowest)
      if (hash === undefined || unread.length === 0) return
      const read = await readAncestors(client, { number: lowest, hash }, unread)
      for (const [number, ancestor] of read) older.set(number, ancestor)
    },
    accept: ({ blocks, isRestart }) => {
      const newest = blocks.at(-1)
      if (!newest) return
      if (isRestart) {
        hashes.clear()
        older.clear()
      }
      for (const { number, hash } of blocks) hashes.set(number, hash)
      for (let number = newest.number + 1n; hashes.delete(number); number += 1n);
      if (isRestart) lowest = newest.number
      for (; newest.number - lowest >= KEPT_MAX; lowest += 1n) hashes.delete(lowest)
      top = newest
    },
  }
}

/** Two nodes, or one that has changed its branch meanwhile: the next look reads one branch. */
function unlinked(): AppError {
  return new AppError('confirm_rpc_unavailable', { details: 'the blocks read are not of one branch' })
}

function gapMax(waiting: number): bigint {
  const blocks = max(BigInt(waiting), GAP_MIN)
  return blocks < GAP_MAX ? blocks : GAP_MAX
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
