import { compare, divide, sum } from '../../../kernel/money.js'

const RATIO_DECIMALS = 18

/** Whether two prices differ by more than `percent` of the lower one. All are positive decimal strings. */
export function isFarOff(one: string, other: string, percent: string): boolean {
  const [higher, lower] = compare(one, other) >= 0 ? [one, other] : [other, one]
  return compare(divide(higher, lower, RATIO_DECIMALS), sum(['1', divide(percent, '100', RATIO_DECIMALS)])) > 0
}
