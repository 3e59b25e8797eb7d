import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import type { Market, MarketState, Withdrawal } from '../providers/provider.js'
import type { Holding } from './token-holding.js'

/** What leaves a strategy: how it is told to the protocol, and what it pays at least, in base units. */
export interface Outflow {
  withdrawal: Withdrawal
  amount: bigint
}

/**
 * How an amount is withdrawn from a position, by the protocol's own numbers of this moment. All that it is worth is
 * withdrawn by its shares, so that nothing is left behind.
 * @param wanted in base units, or everything
 * @throws AppError insufficient_position
 */
export function outflowOf(market: Market, state: MarketState, shares: Holding, wanted: bigint | 'all'): Outflow {
  const worth = state.worthOf(shares.amount)
  if (worth === 0n || (wanted !== 'all' && wanted > worth)) {
    const { symbol, decimals } = market.asset
    throw new AppError('insufficient_position', {
      details: `The position is ${fromBaseUnits(worth, decimals)} ${symbol}.`,
    })
  }
  if (wanted === 'all' || wanted === worth) {
    return { withdrawal: { kind: 'all', shares: shares.amount }, amount: worth }
  }
  return { withdrawal: { kind: 'exact', amount: wanted }, amount: wanted }
}
