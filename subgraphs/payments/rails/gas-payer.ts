import type { EvmChain } from '../../../chains/chain.js'
import type { PaidCall } from '../../../chains/evm/transfer-call.js'
import type { AccountTransaction } from '../../../chains/sender/evm-account.js'
import type { SendOutcome } from '../../../chains/sender/send-from.js'

/** A transaction of the gas payer, as those see it for whom it was sent. */
export type SentTransaction = Pick<AccountTransaction, 'hash' | 'state' | 'createdAt'>

/** The account that pays the gas of settlements; it never holds a payer's or a receiver's money. */
export interface GasPayer {
  /** Its address, the same on every EVM chain. */
  account: string
  /** What it holds of a chain's coin, a decimal string. Throws AppError confirm_rpc_unavailable. */
  readBalance: (chain: EvmChain) => Promise<string>
  /**
   * Brings a transaction for `purpose` on its way: signs and sends one, or sees to it that nodes know the one that was written
   * down for it. What is sent may be sent for nothing: each purpose has to bear that.
   * @returns `sent`; `pending` where one is on its way; `busy` while others are at it, so that nothing was done
   * @throws AppError broadcast_simulation_failed where the call would revert, broadcast_rejected where no node takes it,
   *   provider_*, confirm_rpc_unavailable
   */
  send: (chain: EvmChain, purpose: string, call: PaidCall) => Promise<SendOutcome>
  /** What was sent for a purpose so far, or was written down to be, the newest first. */
  sentFor: (chain: EvmChain, purpose: string) => Promise<readonly SentTransaction[]>
  /** The last of these; undefined where there is none. */
  newestFor: (chain: EvmChain, purpose: string) => Promise<SentTransaction | undefined>
  /** Whether one is on its way, or in a block that the chain may still drop. */
  hasUnfinal: (chainName: string) => Promise<boolean>
  /**
   * Sends those again, the lowest nonce first, that the chain has dropped with its newest blocks, and ends what is final.
   * @throws AppError confirm_rpc_unavailable
   */
  follow: (chain: EvmChain) => Promise<void>
}
