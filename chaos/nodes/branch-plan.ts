import { createHash } from 'node:crypto'

/** A transaction that a reorganisation drops. */
export interface DroppedTransaction {
  hash: string
  from: string
  nonce: number
  /** Its block on the old branch, 0 for the first one that is dropped. */
  blockIndex: number
  /** As it was signed; undefined where it was not: a test node can send for an account without its key. */
  raw: string | undefined
  /** Whether the product holds its bytes, so that it may be lost for good. */
  mayBeLost: boolean
}

/** What becomes of the dropped transactions. */
export interface BranchPlan<T> {
  /** On the new branch, in this order, at these blocks. */
  included: { transaction: T; blockIndex: number }[]
  /** Back in the pool, as geth does it. */
  pooled: T[]
  /** Nowhere. */
  lost: T[]
}

/** Chances from 0 to 1. */
export interface BranchChances {
  /** That a transaction is on the new branch too. */
  included: number
  /** That one which is not, and may be lost, is lost. */
  lost: number
}

/**
 * Plans the new branch, by the seed and the transactions' hashes. Of one account the first ones are on it and the others
 * are not: a later nonce cannot be there without the earlier.
 * @param dropped in the order of the old branch
 * @param blocks how many blocks the new branch has
 */
export function planBranch<T extends DroppedTransaction>(
  dropped: readonly T[],
  blocks: number,
  seed: number,
  chances: BranchChances,
): BranchPlan<T> {
  const plan: BranchPlan<T> = { included: [], pooled: [], lost: [] }
  const ended = new Set<string>()
  const lastBlock = new Map<string, number>()
  for (const transaction of dropped) {
    const { from, hash, raw, mayBeLost, blockIndex } = transaction
    const chance = (name: string): number => chanceOf(`${seed} ${name} ${hash}`)
    if (raw === undefined || (!ended.has(from) && chance('included') < chances.included)) {
      const shifted = Math.min(blocks - 1, Math.max(0, blockIndex + Math.floor(chance('block') * 4) - 1))
      const block = Math.max(shifted, lastBlock.get(from) ?? 0)
      lastBlock.set(from, block)
      plan.included.push({ transaction, blockIndex: block })
      continue
    }
    ended.add(from)
    if (mayBeLost && chance('lost') < chances.lost) plan.lost.push(transaction)
    else plan.pooled.push(transaction)
  }
  return plan
}

/** A number in [0, 1) that follows from a text. */
function chanceOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
}
