import { Big } from 'big.js'
import { compare, sum } from './money.js'

/** A percentage as an exact decimal string: the shortest decimal that the JSON number stands for, without an exponent. */
export function percentText(percent: number): string {
  return new Big(String(percent)).toFixed()
}

/** Whether a share's percentage is from 0 to 100, both included. */
export function isPercent(percent: number): boolean {
  return percent >= 0 && percent <= 100
}

/** A share on a chain is a fraction of 10^20 at the finest. */
const DECIMALS_MAX = 18

/** What is wrong with a share's percentage; undefined where nothing is. */
export function percentProblem(percent: number): string | undefined {
  if (!isPercent(percent)) return 'must be from 0 to 100'
  if (Number.isInteger(percent)) return undefined
  const [, decimals = ''] = percentText(percent).split('.')
  return decimals.length > DECIMALS_MAX ? `must have at most ${DECIMALS_MAX} decimals` : undefined
}

/**
 * Whether shares make up a whole: their decimals, as written in JSON, sum to exactly 100 (`33.33 + 33.33 + 33.34` do).
 * @param percents each from 0 to 100
 */
export function sumToWhole(percents: readonly number[]): boolean {
  if (percents.every(Number.isInteger)) return percents.reduce((total, percent) => total + percent, 0) === 100
  return compare(sum(percents.map(percentText)), '100') === 0
}
