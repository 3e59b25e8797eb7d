import type { EvmChain } from '../../../chains/chain.js'
import type { PaidCall } from '../../../chains/evm/transfer-call.js'
import type { AccountTransaction } from '../../../chains/sender/evm-account.js'

/** The account that pays the gas of settlements; it never holds a payer's or a receiver's money. */
export interface GasPayer {
  /** Its address, the same on every EVM chain. */
  account: string
  /** What it holds of a chain's coin, a decimal string. Throws AppError confirm_rpc_unavailable. */
  readBalance: (chain: EvmChain) => Promise<string>
  /**
   * Brings a transaction for `purpose` on its way: signs and sends one, or sends the one again that was written down for it,
   * and so all that were written down before. Two workers do it once: the second gets `busy` and has to ask again. What is
   * sent may be sent for nothing: each purpose has to bear that.
   * @returns `sent`, or `busy` while another worker is at it
   * @throws AppError broadcast_simulation_failed where the call would revert, broadcast_rejected where no node takes it,
   *   provider_*, confirm_rpc_unavailable
   */
  send: (chain: EvmChain, purpose: string, call: PaidCall) => Promise<'busy' | 'sent'>
  /** What was sent for a purpose so far, or was written down to be, the newest first. */
  sentFor: (chain: EvmChain, purpose: string) => Promise<readonly Pick<AccountTransaction, 'state' | 'createdAt'>[]>
  /** Whether a chain may still drop a transaction that was called over. */
  hasUnfinal: (chainName: string) => Promise<boolean>
  /**
   * Sends those again, the lowest nonce first, that the chain has dropped with its newest blocks, and ends what is final.
   * @throws AppError confirm_rpc_unavailable
   */
  follow: (chain: EvmChain) => Promise<void>
}
