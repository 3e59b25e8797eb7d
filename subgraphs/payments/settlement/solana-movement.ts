import type { SolanaChain } from '../../../chains/chain.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { COIN_PLACE, type TreasuryMovement, type TreasuryTransfer } from './payout-chain.js'
import { coinsGiven, coinsTaken, costIn, lamportsChange, transfersIn, type SolanaEffects } from './solana-effects.js'

/**
 * What a transaction did to an account: tokens by the balances before and after it, coins by the account's own. Of one that the
 * account pays for, what other wallets got was given, and the rest is its cost.
 */
export function movementIn(
  effects: SolanaEffects,
  { hash, account, chain }: { hash: string; account: string; chain: SolanaChain },
): TreasuryMovement {
  const { slot: blockNumber } = effects
  const { symbol: currency, decimals } = chain.nativeCoin
  const tokens = transfersIn(effects, { hash, blockNumber, account, tokens: chain.tokens })
  const { change, isPayer } = lamportsChange(effects, account)
  const given = isPayer ? coinsGiven(effects, account).reduce((sum, { units }) => sum + units, 0n) : 0n
  const cost = isPayer ? costIn(effects, account) : 0n
  // Below nothing where others have given it more than the transaction took.
  const moved = cost > 0n ? -given : change
  const coin: TreasuryTransfer = {
    ...{ hash, blockNumber, currency, logIndex: COIN_PLACE },
    direction: moved < 0n ? 'out' : 'in',
    other: (moved < 0n ? coinsGiven(effects, account) : coinsTaken(effects, account))[0]?.owner ?? 'nobody',
    amount: fromBaseUnits(moved < 0n ? -moved : moved, decimals),
  }
  return {
    blockNumber,
    transfers: moved === 0n ? tokens : [...tokens, coin],
    cost: cost > 0n ? { amount: fromBaseUnits(cost, decimals), currency, decimals } : undefined,
  }
}
