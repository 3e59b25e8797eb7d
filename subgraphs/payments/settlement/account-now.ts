import type { OpenBatch } from '../store/batches.js'
import type { EndedTransaction, UnminedTransaction } from './payout-chain.js'
import type { Treasury } from './treasury.js'

/** What the chain shows of the transactions that are on their way. */
export interface OpenStatuses {
  /** What is over; `endAll` acts on it. */
  ended: readonly EndedTransaction[]
  /** What waits for a block; `bringOn` acts on it. What only waits for confirmations is in neither. */
  unmined: readonly UnminedTransaction[]
}

/** An account of the treasury as a round has found it. */
export interface AccountNow {
  treasury: Treasury
  open: readonly OpenBatch[]
  /** What the chain shows of these. */
  statuses: OpenStatuses
  /**
   * Tokens that it cannot pay, and that another account may: it asks for what is behind them. Each with the payouts that it has looked at,
   * by their keys, and the chain's reason where one would fail.
   */
  leaves: Map<string, Map<string, string | undefined>>
}
