import { compare, divide, multiply, roundHalfUp, subtract, sum } from '../../../kernel/money.js'

/** What the platform takes of a tenant's payments on a rail; decimal strings. */
export interface FeeTerms {
  /** Of what the payer pays. */
  percent: string
  /** Of each payment, in the currency that is charged. */
  fixed: string
  /** What the receivers' rate is worse than the market's. */
  spreadPercent: string
}

export const NO_FEES: FeeTerms = { percent: '0', fixed: '0', spreadPercent: '0' }

/** The most that an operator may set. */
export const FEE_BOUNDS: FeeTerms = { percent: '20', fixed: '1000', spreadPercent: '10' }

/** What a payer pays, taken apart: `net` is converted for the receivers, and all three sum to `charged`. Decimal strings. */
export interface ChargedParts {
  charged: string
  fee: string
  spread: string
  net: string
}

/**
 * Takes what a payer pays apart. The fee is rounded half up first, and the spread is taken of what the fee leaves.
 * @param charged in the provider's currency
 * @param decimals of that currency
 * @returns undefined where nothing is left for the receivers
 */
export function chargedParts(terms: FeeTerms, charged: string, decimals: number): ChargedParts | undefined {
  const share = (of: string, percent: string): string => roundHalfUp(divide(multiply(of, percent), '100', 20), decimals)
  const fee = sum([share(charged, terms.percent), terms.fixed])
  if (compare(fee, charged) >= 0) return undefined
  const rest = subtract(charged, fee)
  const spread = share(rest, terms.spreadPercent)
  return compare(spread, rest) < 0 ? { charged, fee, spread, net: subtract(rest, spread) } : undefined
}
