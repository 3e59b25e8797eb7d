import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import type { ChainFee } from './payout-chain.js'

/**
 * What some legs of a batch bear of its transaction's fee: equal parts, exact to the coin's last unit, so that the parts of
 * all legs sum to the fee.
 * @param positions of the legs in the batch, from 0
 * @param count of all legs of the batch
 * @returns a decimal string
 */
export function feeShare({ amount, decimals }: ChainFee, positions: readonly number[], count: number): string {
  const fee = toBaseUnits(amount, decimals)
  const upTo = (position: number): bigint => (fee * BigInt(position)) / BigInt(count)
  const units = positions.reduce((sum, position) => sum + upTo(position + 1) - upTo(position), 0n)
  return fromBaseUnits(units, decimals)
}
