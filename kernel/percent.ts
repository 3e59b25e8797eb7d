import { Big } from 'big.js'
import { compare, sum } from './money.js'

/**
 * A percentage as an exact decimal string: the shortest decimal that the JSON number stands for, without an exponent.
 * @throws Error where it is no finite number
 */
export function percentText(percent: number): string {
  const text = String(percent)
  // Most answers have several, and few have an exponent.
  return PLAIN.test(text) ? text : new Big(text).toFixed()
}

/** How JavaScript writes numbers that are neither very large nor very small. */
const PLAIN = /^-?\d+(?:\.\d+)?$/

/** The number that stands for a percentage in JSON; NaN where none stands for exactly that decimal. */
export function percentNumber(text: string): number {
  const percent = Number(text)
  const written = percentText(percent)
  // What is out of range is refused as that.
  return percent > 100 || written === text || new Big(written).eq(text) ? percent : NaN
}

/** A share on a chain is a fraction of 10^20 at the finest. */
const DECIMALS_MAX = 18

/** What is wrong with a share's percentage, as `percentNumber` reads it; undefined where nothing is. */
export function percentProblem(percent: number): string | undefined {
  if (Number.isNaN(percent)) return 'must have at most 15 digits'
  if (percent < 0 || percent > 100) return 'must be from 0 to 100'
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
