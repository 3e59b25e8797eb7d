import { Big, type BigConstructor } from 'big.js'

/** How many digits an amount may have before the point, and after it. */
const WHOLE_DIGITS_MAX = 30
const DECIMALS_MAX = 18
const AMOUNT = new RegExp(`^\\d{1,${WHOLE_DIGITS_MAX}}(\\.\\d{1,${DECIMALS_MAX}})?$`)
/** Results of our own arithmetic may have more digits than an amount that a caller may send. */
const DECIMAL = /^\d+(\.\d+)?$/

/** Own constructors, because big.js keeps its settings on the constructor, shared with every other user of the package. */
function decimalType(divisionDecimals: number): BigConstructor {
  const type = Big()
  type.strict = true
  type.DP = divisionDecimals
  type.RM = Big.roundHalfUp
  return type
}

const Decimal = decimalType(0)

function parse(value: string, type = Decimal): Big {
  if (!DECIMAL.test(value)) throw new RangeError('not a decimal string')
  return new type(value)
}

function canonical(value: Big): string {
  const text = value.toFixed()
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function requireDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 255) throw new RangeError('decimals: 0 to 255')
}

/** Whether `value` is an amount that a caller may send: a plain decimal string, at most 30 digits before and 18 after the point. */
export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && AMOUNT.test(value)
}

/** Which of its bounds a decimal string breaks that is no amount for that alone, for people; undefined for any other text. */
export function amountDigitsProblem(text: string): string | undefined {
  if (!DECIMAL.test(text)) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  if (whole.length > WHOLE_DIGITS_MAX) return `must have at most ${WHOLE_DIGITS_MAX} digits before the point`
  return fraction.length > DECIMALS_MAX ? `must have at most ${DECIMALS_MAX} decimals` : undefined
}

/** Whether the decimal string `amount` is above zero. Throws a RangeError on anything but a decimal string. */
export function isPositive(amount: string): boolean {
  if (!DECIMAL.test(amount)) throw new RangeError('not a decimal string')
  return /[1-9]/.test(amount)
}

/** How many decimals a decimal string has; zeros at its end do not count. */
export function decimalsOf(amount: string): number {
  const [, fraction = ''] = amount.split('.')
  return fraction.replace(/0+$/, '').length
}

/**
 * The amount in a token's base units, exactly: `('1.5', 6)` → `1500000n`. Zeros at the end do not count as decimals.
 * Throws a RangeError where the amount has more decimals than the token, because rounding money is the caller's decision.
 */
export function toBaseUnits(amount: string, decimals: number): bigint {
  requireDecimals(decimals)
  const [whole = '', fraction = ''] = canonical(parse(amount)).split('.')
  if (fraction.length > decimals) throw new RangeError(`more than ${decimals} decimals`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Base units as a decimal string without superfluous zeros: `(1500000n, 6)` → `'1.5'`. Throws a RangeError below zero. */
export function fromBaseUnits(units: bigint, decimals: number): string {
  requireDecimals(decimals)
  if (units < 0n) throw new RangeError('base units below zero')
  const digits = units.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`
}

/** The amount rounded to `decimals` places, a half upwards, without superfluous zeros. */
export function roundHalfUp(amount: string, decimals: number): string {
  requireDecimals(decimals)
  return canonical(parse(amount).round(decimals, Big.roundHalfUp))
}

/** The exact product. */
export function multiply(left: string, right: string): string {
  return canonical(parse(left).times(parse(right)))
}

/** `dividend / divisor`, rounded half up to `decimals` places. Throws a RangeError where the divisor is zero. */
export function divide(dividend: string, divisor: string, decimals: number): string {
  requireDecimals(decimals)
  if (!isPositive(divisor)) throw new RangeError('division by zero')
  return canonical(parse(dividend, decimalType(decimals)).div(parse(divisor)))
}

/** -1, 0 or 1: `left` is below, equal to or above `right` in value (`'1.0'` equals `'1'`). */
export function compare(left: string, right: string): -1 | 0 | 1 {
  return parse(left).cmp(parse(right))
}

/** The exact difference, `left - right`; below zero with a sign. */
export function subtract(left: string, right: string): string {
  return canonical(parse(left).minus(parse(right)))
}

/** The exact sum; `'0'` of nothing. */
export function sum(amounts: readonly string[]): string {
  return canonical(amounts.reduce((total, amount) => total.plus(parse(amount)), parse('0')))
}
