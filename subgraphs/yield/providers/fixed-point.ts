import { FRACTION_ONE, type Fraction } from '../fraction.js'

/** `value` of `from` parts in parts of 1e18. */
export function toFraction(value: bigint, from: bigint): Fraction {
  return (value * FRACTION_ONE) / from
}

/** `numerator / denominator` rounded up; both above or equal to zero. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

/** Bits behind the point while compounding: a rate per slot is about 1e-9, and must keep its digits over 63 million slots. */
const WORKING_BITS = 160n

/**
 * What a simple yearly rate becomes when it is paid and lent again `periods` times a year: `(1 + rate / periods)^periods - 1`.
 * @param rate scaled by 1e18, as the result
 */
export function compoundYearly(rate: Fraction, periods: bigint): Fraction {
  const one = 1n << WORKING_BITS
  let factor = one + (rate << WORKING_BITS) / FRACTION_ONE / periods
  let result = one
  for (let rest = periods; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) >> WORKING_BITS
    factor = (factor * factor) >> WORKING_BITS
  }
  return ((result - one) * FRACTION_ONE) >> WORKING_BITS
}
