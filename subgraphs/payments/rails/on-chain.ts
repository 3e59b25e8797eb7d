import type { Chain } from '../../../chains/chain.js'
import type { Finality, SentAgain } from '../../../chains/sender/evm-signed.js'
import type { Sendable } from '../../../chains/sender/send-stored.js'
import type { WatchedTransaction } from '../../../chains/watch.js'
import type { PaymentAddress } from '../model/payment-address.js'
import type { Payment } from '../store/payment.entity.js'

/** What becomes of a payer's transaction. */
export type PayerTransactionStatus =
  /** The chain has never heard of it, or forgot it. */
  | { kind: 'unknown' }
  /** It waits for a block, or for enough blocks. */
  | { kind: 'waiting' }
  /** It is final, and moved what it was built to move: itself, or `hash`, by which the wallet sped it up. */
  | { kind: 'paid'; hash: string }
  /** It is final, and did not. */
  | { kind: 'failed'; code: 'transaction_reverted' | 'transaction_dropped' | 'transfer_mismatch'; message: string }

/** What remains to be done before the receivers have their money. */
export type Settlement =
  | { kind: 'done' }
  /** The split's address holds it; the worker has to share it out. */
  | { kind: 'split' }
  /** A bridge is on its way; the router has to be asked. */
  | { kind: 'route' }

/** A payer's signed transaction on its way. */
export interface SentTransaction {
  chainName: string
  hash: string
  raw: string
}

/** What a wallet has sent, and where to go on. */
export interface SpentTransactions {
  hashes: string[]
  place: string | undefined
}

/** The signed side of one family of chains. */
export interface OnChain {
  /**
   * Checks that `raw` is what was built for the payment, signed by its payer.
   * @returns its hash (EVM) or signature (Solana), known before it is sent, and its canonical bytes
   * @throws AppError invalid_parameters, invalid_chain, invalid_signed_transaction
   */
  verifySigned: (payment: Payment, raw: string) => Promise<{ hash: string; raw: string }>
  /** A transaction's hash in its canonical form; undefined where a text is none of this family. */
  hashIn: (text: string) => string | undefined
  /**
   * The signed bytes of a transaction that a wallet has sent by itself; undefined where no node knows it.
   * @param hash of `hashIn`
   * @throws AppError invalid_chain, invalid_signed_transaction, confirm_rpc_unavailable
   */
  findSent: (chainName: string, hash: string) => Promise<string | undefined>
  /**
   * When the block was made that holds a signed transaction which succeeded, or the same payment under another hash;
   * undefined where none does. Throws confirm_rpc_unavailable.
   */
  minedAt: (chainName: string, signed: { hash: string; raw: string }) => Promise<Date | undefined>
  /**
   * @param paidWith what its payer's wallet has paid with, as far as that is not final
   * @throws stale_transaction_nonce for one that would wait for nonces which nobody has sent, or take the nonce of what has paid;
   *   and confirm_rpc_unavailable
   */
  checkNonce: (payment: Payment, signed: { hash: string; raw: string }, paidWith: readonly string[]) => Promise<void>
  /**
   * How the chain takes it, for `sendStored`.
   * @param payment reads the payment that the transaction was built for, where a refusal has to be judged by it
   */
  sendable: (broadcast: SentTransaction, payment: () => Promise<Payment | undefined>) => Sendable
  /** Begins to look for it together with all others of its chain; what that shows, `retrieve` knows. */
  watch: (broadcast: Pick<SentTransaction, 'chainName' | 'hash'>) => WatchedTransaction
  /**
   * Whether a block has it, final or not, by one look of this process for all that are waited for on its chain. False also where
   * nobody could look.
   */
  isInBlock: (broadcast: Pick<SentTransaction, 'chainName' | 'hash'>) => Promise<boolean>
  /**
   * As `retrieve`, by one look of this process for all that are waited for on its chain, so that asking again costs no call of its own.
   * @returns undefined where no block has it that was seen, or nobody could look: another transaction may have taken its place
   */
  retrieveWatched: (payment: Payment, broadcast: SentTransaction) => Promise<PayerTransactionStatus | undefined>
  /**
   * Looks once where it is. Throws confirm_rpc_unavailable.
   * @param ageMs since it was broadcast: a young one that nobody knows may only not have got around yet
   */
  retrieve: (payment: Payment, broadcast: SentTransaction, ageMs: number) => Promise<PayerTransactionStatus>
  /**
   * What has become of a transaction whose payment was told that it is paid. Throws confirm_rpc_unavailable.
   * @param hash under which it paid
   */
  finalityOf: (broadcast: SentTransaction, hash: string) => Promise<Finality>
  /** Sends the same bytes again; what comes of it is looked at later. Throws confirm_rpc_unavailable. */
  sendAgain: (broadcast: SentTransaction) => Promise<SentAgain>
  /**
   * Whether the payer's wallet may have sent the transaction that the payment waits for, though nobody has handed it in: it
   * cannot be ruled out where the wallet has sent anything since it was built. Throws confirm_rpc_unavailable.
   */
  mayBePaid: (payment: Payment) => Promise<boolean>
  /**
   * What the payer's wallet has sent, since the transaction was built, that may be that transaction. One that nobody hands in
   * is found so.
   * @param payment as it was when the transaction was built
   * @param builtAt when that was
   * @param place where an earlier look ended
   * @returns hashes, and where the next look goes on: what comes there after it may be shown a second time, nothing is left out
   * @throws AppError confirm_rpc_unavailable
   */
  findSpent: (payment: Payment, builtAt: Date, place: string | undefined) => Promise<SpentTransactions>
  /** What is left to do for a payment whose payer's transaction is `paid`. */
  settlementOf: (payment: Payment) => Settlement
}

/** The signed side of chains, by family. */
export interface OnChains {
  onChain: Partial<Record<Chain['family'], OnChain>>
}

/**
 * How far a split is. `done`: all that is due has reached the receivers, and with it all else at its address that is worth a
 * transaction: so much in all, in base units; `stepped`: a transaction was sent.
 */
export type SplitProgress = { kind: 'done'; distributed: bigint } | { kind: 'stepped' } | { kind: 'waiting' }

/** The sharing out of what a split's address holds. */
export interface SplitSteps {
  /**
   * Takes the next step, if the chain shows that one is needed.
   * @param due what the receivers get of what has come to the payment's own address, in base units; absent where a wallet pays
   */
  settleStep: (payment: Payment, due?: bigint) => Promise<SplitProgress>
}

/** The own addresses of payments, as the chains show them. */
export interface AddressReads {
  /** Whether each receiver gets the token's least of an amount, in base units: our gas is to be worth it. */
  isWorthSharing: (payment: Payment, amount: bigint) => boolean
  /**
   * What has come to an address in all, in base units, confirmed or not: anybody may have it shared out. Throws confirm_rpc_unavailable.
   */
  readDeposited: (address: Pick<PaymentAddress, 'chainName' | 'address' | 'splitVersion' | 'token'>) => Promise<bigint>
}

/** What a bridge has to bring to the destination's chain. */
export interface Arrivals {
  /** Whether a bridge's transaction has paid what is due there. Throws confirm_rpc_unavailable. */
  readArrival: (payment: Payment, hash: string) => Promise<'arrived' | 'waiting' | 'missing'>
  /** Whether several receivers share the payment. */
  isSplit: (payment: Payment) => boolean
}
