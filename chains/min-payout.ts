import type { Chain } from './chain.js'

/** What one receiver is paid at least, in units of the coin or token; decimal strings. */
export interface MinPayout {
  amount: string
  /** Where the receiver's token account has to be opened at the treasury's cost. */
  toNewAccount: string
}

/** Most tokens are dollars: a transfer costs about as much, and who is paid less costs the treasury more than it gets. */
const TOKEN_MIN = '0.01'
/** Above the rent of an empty Solana account (890,880 lamports), without which the chain refuses the transfer. */
const NATIVE_MIN = '0.001'
/** The rent of a Solana token account is 2,039,280 lamports. */
const NEW_ACCOUNT_MIN = '0.5'

/**
 * What the treasury pays one receiver at least: each payout costs it a transaction, and on Solana the rent of a token account,
 * which the receiver may close and keep.
 * @param symbol one that the chain has
 */
export function minPayout(chain: Chain, symbol: string): MinPayout {
  const isNative = symbol === chain.nativeCoin.symbol
  const limits = isNative ? chain.nativeCoin : chain.tokens[symbol]
  const amount = limits?.minPayout ?? (isNative ? NATIVE_MIN : TOKEN_MIN)
  if (isNative || chain.family === 'evm') return { amount, toNewAccount: amount }
  return { amount, toNewAccount: limits?.minPayoutToNewAccount ?? NEW_ACCOUNT_MIN }
}
