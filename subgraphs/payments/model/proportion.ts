/** The fiat currencies that providers charge in have cents. */
export const FIAT_DECIMALS = 2

/**
 * Whole parts of a total in proportion to weights, which sum to the total: rounded down, then one more for the largest
 * remainders, the first of equals first. No part of a total up to the weights' sum is above its weight.
 * @returns nothing for each where no weight is above 0
 */
export function inProportion(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (whole === 0n) return weights.map(() => 0n)
  const parts = weights.map((weight) => (total * weight) / whole)
  const missing = total - parts.reduce((sum, part) => sum + part, 0n)
  const raised = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % whole }))
    .toSorted((left, right) => (left.remainder > right.remainder ? -1 : left.remainder < right.remainder ? 1 : 0))
    .slice(0, Number(missing))
    .map(({ index }) => index)
  return parts.map((part, index) => (raised.includes(index) ? part + 1n : part))
}
