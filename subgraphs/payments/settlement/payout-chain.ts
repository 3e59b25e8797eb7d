import type { Chain } from '../../../chains/chain.js'
import type { DurableNonce } from '../../../chains/solana/durable-nonces.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { Payout, TreasuryTransaction } from '../store/payout.entity.js'
import type { AccountNonce, LegsReader, OpenBatch, SignedBatch } from '../store/batches.js'
import type { ListLook } from '../store/foreign-transfers.js'

/** A transaction that was signed for some payouts; nothing has been sent. */
export interface PreparedBatch {
  /** In the batch's order. Of none: it prepares the treasury's account for batches. */
  payouts: readonly Payout[]
  batchId: string
  hash: string
  raw: string
  nonce: number | null
  /** Of Solana: what it lives by, which no other batch may have. */
  durableNonce: DurableNonce | null
  validUntil: number | null
}

/** What came of the request to pay. */
export interface Preparation {
  prepared: readonly PreparedBatch[]
  /** Those for which the treasury's balances are insufficient now. */
  insufficientFunds: readonly Payout[]
  /** Those that would fail on chain, though the balances are sufficient; with the chain's reason. */
  failing: readonly { payout: Payout; reason: string }[]
}

/** What the port is asked to pay. */
export interface WantedPayouts {
  payouts: readonly Payout[]
  /** What may still land, and still takes of the balances. */
  open: readonly OpenBatch[]
  /** How many transactions may be signed. */
  room: number
  /** The nonce after the highest that was ever written down, or found on the chain. */
  nextNonce: number
  /** A block, or slot, that what the treasury holds has to be read at, or later: what it did up to there is done. */
  newestBlock: number
  /** The accounts of those durable nonces that a transaction was ever signed for. */
  usedNonces: (nonces: readonly AccountNonce[]) => Promise<ReadonlySet<string>>
  /** Which of these transactions have landed, as far as is written down. */
  landed: (hashes: readonly string[]) => Promise<ReadonlySet<string>>
  newId: IdSource
}

/** What the chain took for a transaction, in its coin. */
export interface ChainFee {
  /** A decimal string. */
  amount: string
  currency: string
  decimals: number
}

/** What a transaction that landed did for one of its legs; `reason` where it did not pay. */
export interface LegResult {
  outcome: 'paid' | 'unpaid' | 'unproven'
  reason?: string
}

/** The block that holds a transaction. */
export interface HoldingBlock {
  /** Its height; on Solana its slot. */
  number: number
  /** Null where the chain does not drop it any more. */
  hash: string | null
}

/** A transaction that is in no block. */
export interface UnminedTransaction {
  transaction: TreasuryTransaction
  /** `waiting`: the chain has it; on chains that do not tell it is left out. `unknown`: it has not: it has to be sent (again). */
  state: 'waiting' | 'unknown'
}

/** Where a transaction is that may still land. Those that wait for more blocks are left out. */
export type TransactionStatus = UnminedTransaction | EndedTransaction

/** What the chain shows of a transaction that is over, and what it pays. */
export type EndedTransaction = { signed: SignedBatch } &
  /** It landed, with a result for each leg. `block`: what holds it, where the chain tells. */
  (
    | { state: 'confirmed'; fee: ChainFee; block: HoldingBlock | undefined; results: readonly LegResult[] }
    /** It landed and moved nothing, for good: its block is final. `isFreed`: it was to move nothing, and only took the nonce. */
    | { state: 'failed'; fee: ChainFee; isFreed: boolean }
    /** It is proven that it can never land. */
    | { state: 'dropped' }
    /** It cannot land any more and no node shows it, but that it never landed cannot be proven: a person has to decide. */
    | { state: 'missing' }
    /** Another transaction took its place: a person has to look. `isFinal`: it is proven for good that it can never land. */
    | { state: 'unexpected'; reason: string; isFinal: boolean }
  )

/** One account of the treasury on one family of chains: its key is behind this port. */
export interface PayoutChain {
  /** Its address. */
  account: string
  /** Whether the deployment has its key; where it has not, what the account has sent is followed, and nothing is signed. */
  canSign: boolean
  /** Whether all is read that the account may have sent before this process looked; until then `prepare` signs for no payout. */
  isPastRead: (chain: Chain) => boolean
  /** Told of the newest block with a transaction that is written down: a database that knows less was set back. On Solana. */
  noteWritten?: (chain: Chain, block: number) => void
  /**
   * Signs transactions for as many payouts as the treasury's balances cover, in their order.
   * @throws AppError provider_unavailable, provider_timeout
   */
  prepare: (chain: Chain, wanted: WantedPayouts) => Promise<Preparation>
  /** How many payouts one transaction may pay. */
  batchMax: number
  /** How many transactions of one account may wait for a block at once. */
  unminedMax: number
  /** The newest block's height. Undefined on chains where what may have changed cannot be told by it. */
  readHead: ((chain: Chain) => Promise<number>) | undefined
  /**
   * Sends a signed transaction. Sending the same again is harmless.
   * @throws AppError confirm_rpc_unavailable
   */
  send: (chain: Chain, raw: string) => Promise<SendOutcome>
  /**
   * Looks where the transactions are.
   * @param withLegs reads what those pay that are over
   * @throws AppError confirm_rpc_unavailable, provider_unavailable, provider_timeout
   */
  retrieve: (
    chain: Chain,
    open: readonly TreasuryTransaction[],
    withLegs: LegsReader,
  ) => Promise<readonly TransactionStatus[]>
  nonces: PayoutNonces
  /** Whether a transaction waits for all those with lower nonces; if not, each has a nonce of its own kind. */
  areNoncesOrdered: boolean
  /** Undefined on chains whose confirmed blocks are not dropped any more. */
  finality: PayoutFinality | undefined
  /**
   * What the treasury holds now, of each token of the chain and of its coin: decimal strings by currency.
   * @throws AppError confirm_rpc_unavailable, provider_unavailable, provider_timeout
   */
  readHoldings: (chain: Chain) => Promise<ReadonlyMap<string, string>>
  /**
   * What the account has sent that the database does not know: it was restored from a backup, or somebody else has the key.
   * `none`: nothing; `waiting`: some of it is not confirmed yet; `unread`: more has to be read first.
   * @param known what the database knows
   * @throws AppError confirm_rpc_unavailable, provider_unavailable, provider_timeout
   */
  readForeign: (chain: Chain, known: KnownTransactions) => Promise<ForeignTransactions | 'none' | 'waiting' | 'unread'>
  /** The signed bytes of a transaction that is on the chain; undefined where they cannot be had. */
  readRaw: (chain: Chain, hash: string) => Promise<string | undefined>
  /** What a reconciliation reads; undefined on chains that are not reconciled. */
  audit: TreasuryAudit | undefined
}

/** How far the database knows what an account has sent. */
export interface KnownTransactions {
  /** The account's next nonce; of EVM chains. */
  nonce: number
  /** The newest block with something that is known; undefined where there is none. */
  block: number | undefined
  /** The newest signature that was looked at; of Solana. */
  signature: string | undefined
  /** The look into the account's list that is under way; of Solana. */
  look: ListLook | undefined
  /** When the oldest payment was registered for which anything may have been sent: what was sent before explains none. */
  since: () => Promise<Date>
  /** Which of these transactions are written down. */
  ours: (hashes: readonly string[]) => Promise<ReadonlySet<string>>
  /** Writes down what was sent up to a block, and that it is read up to there, while more has to be read; of EVM chains. */
  keep: (transfers: readonly ForeignTransfer[], block: number) => Promise<void>
}

/** What an account has sent that the database did not know, and how far it is known from now on. */
export interface ForeignTransactions {
  transfers: readonly ForeignTransfer[]
  /** Whether coins may have been sent too, to whomever. */
  mayHaveSentCoins: boolean
  nonce: number
  block: number | undefined
  signature: string | undefined
  /** Undefined where all is read by it. */
  progress?: ListProgress
}

/** How far the list of what names an account is read; of Solana. */
export interface ListProgress {
  /** Undefined where this look has come to its end. */
  look: ListLook | undefined
  /** Whether payouts wait for nothing more. */
  isAll: boolean
  /** To be called when it is written down: nobody may go by it before. */
  wasRecorded: () => void
}

/** Something that went to somebody. */
export type ForeignTransfer = Omit<TreasuryTransfer, 'direction'> & {
  minedAt: Date
  /** What it names the payments by that it may be for, see `referenceOn`; none where it names nobody. */
  references: readonly string[]
}

/** A movement of a token from or to the treasury, in a block. */
export interface TreasuryTransfer {
  hash: string
  /** Its place in its block, see also `COIN_PLACE`. */
  logIndex: number
  blockNumber: number
  direction: 'in' | 'out'
  /** Who got it, or sent it. */
  other: string
  /** A decimal string, above 0. */
  amount: string
  currency: string
}

/** The place of a transfer of the chain's coin: that is in no log. */
export const COIN_PLACE = -1

/** What a transaction in a block did to the treasury's holdings. */
export interface TreasuryMovement {
  blockNumber: number
  /** Of the chain's tokens, and what it gave itself of the coin. */
  transfers: readonly TreasuryTransfer[]
  /** What it has cost the treasury; undefined where somebody else paid for it. */
  cost: ChainFee | undefined
}

/** What a chain calls final now. */
export interface FinalView {
  /** The height up to which it is; below 0 where nothing is. */
  block: number
  /**
   * What each account held at a block, of each token and of the coin: decimal strings by account and currency; undefined where the
   * chain tells that of its newest final block alone, and this is another. Throws AppError confirm_rpc_unavailable.
   */
  balancesAt: (block: number) => Promise<ReadonlyMap<string, ReadonlyMap<string, string>> | undefined>
}

/** A signed transaction whose end our books do not know yet. */
export type OpenTransaction = Pick<TreasuryTransaction, 'hash' | 'nonce'>

/** What a chain shows of an account of the treasury. All throw AppError confirm_rpc_unavailable. */
export interface TreasuryAudit {
  /** @param accounts which to tell the balances of: this one and others */
  readFinal: (chain: Chain, accounts: readonly string[]) => Promise<FinalView>
  /** Whether any of these transactions, or another one in the place of one, has landed up to a block. */
  hasLanded: (chain: Chain, open: readonly OpenTransaction[], block: number) => Promise<boolean>
  /** The movements of the chain's tokens in some blocks, both ends included, in their order. */
  transfers: (chain: Chain, from: number, to: number) => Promise<readonly TreasuryTransfer[]>
  /** What a transaction did to the treasury; undefined where no block that may count has it. */
  movementOf: (chain: Chain, hash: string) => Promise<TreasuryMovement | undefined>
  /** When the block was made that holds a transaction which succeeded; undefined where that cannot be had. */
  minedAt: (chain: Chain, hash: string) => Promise<Date | undefined>
  /** What a transaction has cost; undefined where the chain does not show it. */
  costOf: (chain: Chain, hash: string) => Promise<ChainFee | undefined>
}

/** What tells whether a chain still has what was called confirmed. Both throw AppError confirm_rpc_unavailable. */
export interface PayoutFinality {
  /** How many nonces of the account the chain has used up, as one node knows. */
  countUsed: (chain: Chain) => Promise<number>
  /** The height up to which the chain is final, and the hashes of its blocks at these heights, as one node knows. */
  read: (
    chain: Chain,
    blockNumbers: readonly number[],
  ) => Promise<{ final: number; hashAt: (blockNumber: number) => string | undefined }>
}

/**
 * `refused`: the chain took nothing now; `isLasting`: nor will it ever take these bytes. `unknown`: it may have arrived; `refusal`: what a node
 * has answered all the same that does not say whether it will ever take them. `isUnderpriced`: it takes the same with higher fees. `isFresh`: no node had it before, which is told where
 * nodes keep what waits for a block.
 */
export type SendOutcome =
  | { kind: 'sent'; isFresh?: boolean }
  | { kind: 'unknown'; refusal?: string; isUnderpriced?: boolean }
  | { kind: 'refused'; reason: string; isLasting: boolean; isUnderpriced?: boolean }

/**
 * What can be done about a transaction whose nonce holds up those behind it: another version of it is signed. Of the
 * versions of a nonce the chain takes one at most.
 */
export interface PayoutNonces {
  /**
   * The same batch anew, so that it gets into a block sooner; undefined where it offers as much as it may.
   * @param others that wait for a block too, and have to be paid for
   */
  raiseFees: (
    chain: Chain,
    transaction: TreasuryTransaction,
    others: readonly TreasuryTransaction[],
  ) => Promise<PreparedVersion | undefined>
  /** A transaction that moves nothing: once it has landed, the payouts may have another nonce. */
  free: (chain: Chain, transaction: TreasuryTransaction) => Promise<PreparedVersion>
  /** Whether a version is such a one. */
  isFreed: (transaction: TreasuryTransaction) => boolean
}

/** Another version of a transaction, for the same nonce. */
export type PreparedVersion = Pick<TreasuryTransaction, 'hash' | 'raw'>
