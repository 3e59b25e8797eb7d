import type { Payment } from '../../store/payment.entity.js'

/** What becomes of a payer's transaction. */
export type PayerOutcome =
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

/** The signed side of one family of chains. */
export interface OnChain {
  /**
   * Checks that `raw` is what was built for the payment, signed by its payer.
   * @returns its hash (EVM) or signature (Solana), known before it is sent, and its canonical bytes
   * @throws AppError invalid_parameters, invalid_chain, invalid_signed_transaction
   */
  verifySigned: (payment: Payment, raw: string) => Promise<{ hash: string; raw: string }>
  /** Whether the chain has the transaction. Throws confirm_rpc_unavailable. */
  isKnown: (chainName: string, hash: string) => Promise<boolean>
  /**
   * When the block was made that holds a signed transaction which succeeded, or the same payment under another hash;
   * undefined where none does. Throws confirm_rpc_unavailable.
   */
  minedAt: (chainName: string, signed: { hash: string; raw: string }) => Promise<Date | undefined>
  /** Whether the chain has the same payment under another hash, as the wallet has sped it up. Throws confirm_rpc_unavailable. */
  hasTwin: (chainName: string, raw: string) => Promise<boolean>
  /**
   * Sends it once. `unknown` is a time-out or a broken connection: nobody can say whether it arrived.
   * @throws AppError stale_transaction_nonce, broadcast_rejected, solana_blockhash_expired, broadcast_simulation_failed
   */
  send: (chainName: string, raw: string) => Promise<'sent' | 'unknown'>
  /**
   * Looks once where it is. Throws confirm_rpc_unavailable.
   * @param ageMs since it was relayed: a young one that nobody knows may only not have got around yet
   */
  look: (payment: Payment, hash: string, ageMs: number) => Promise<PayerOutcome>
  /** What is left to do for a payment whose payer's transaction is `paid`. */
  settlementOf: (payment: Payment) => Settlement
}
