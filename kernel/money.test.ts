import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compare,
  decimalsOf,
  divide,
  fromBaseUnits,
  isAmount,
  isPositive,
  multiply,
  roundHalfUp,
  sum,
  toBaseUnits,
} from './money.js'

const units = fc.bigInt({ min: 0n, max: 10n ** 48n - 1n })
const decimals = fc.integer({ min: 0, max: 18 })
const amount = fc.tuple(units, decimals).map(([value, places]) => fromBaseUnits(value, places))
const positive = amount.filter(isPositive)

/** An independent reading of a decimal string, in units of 10^-36. */
function scaled(value: string): bigint {
  const [whole = '', fraction = ''] = value.split('.')
  return BigInt(whole + fraction.padEnd(36, '0'))
}

describe('money', () => {
  it('takes plain decimal strings as amounts, and nothing else', () => {
    for (const good of ['0', '1', '007', '0.1', '10.00', '9'.repeat(30), `1.${'1'.repeat(18)}`])
      expect(isAmount(good), good).toBe(true)
    const bad = ['', '.5', '1.', '-1', '+1', '1e3', '1,5', ' 1', '1\n', '0x1', 'NaN', '١', 1, null, undefined, {}]
    for (const value of [...bad, '9'.repeat(31), `1.${'1'.repeat(19)}`])
      expect(isAmount(value), String(value)).toBe(false)
  })

  it('goes to base units and back without loss', () => {
    fc.assert(
      fc.property(units, decimals, (value, places) => toBaseUnits(fromBaseUnits(value, places), places) === value),
    )
    expect(toBaseUnits('18250.5', 6)).toBe(18250500000n)
    expect(fromBaseUnits(1n, 18)).toBe('0.000000000000000001')
    expect(fromBaseUnits(0n, 6)).toBe('0')
  })

  it('refuses an amount finer than the token instead of rounding it', () => {
    fc.assert(
      fc.property(units, decimals, (value, places) => {
        const finer = `${value}.${'0'.repeat(places)}1`
        expect(() => toBaseUnits(finer, places)).toThrow(RangeError)
      }),
    )
    expect(() => toBaseUnits('1.9999999', 6)).toThrow('more than 6 decimals')
    expect(toBaseUnits('1.5000000', 6)).toBe(1500000n)
  })

  it('answers in one canonical form: no exponent, no superfluous zero', () => {
    fc.assert(
      fc.property(positive, positive, decimals, (left, right, places) => {
        const results = [
          multiply(left, right),
          sum([left, right]),
          divide(left, right, places),
          roundHalfUp(left, places),
        ]
        for (const result of results) expect(result).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    )
    expect(multiply('0.000000000000000001', '0.000000000000000001')).toBe(`0.${'0'.repeat(35)}1`)
    expect(sum(['0010.500', '0.50'])).toBe('11')
  })

  it('counts decimals without the zeros at their end', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 18 }), (value, places) => {
        expect(decimalsOf(value) <= places).toBe(compare(roundHalfUp(value, places), value) === 0)
      }),
    )
  })

  it('multiplies, adds and compares exactly', () => {
    fc.assert(
      fc.property(amount, amount, (left, right) => {
        expect(scaled(multiply(left, right)) * 10n ** 36n).toBe(scaled(left) * scaled(right))
        expect(scaled(sum([left, right]))).toBe(scaled(left) + scaled(right))
        const difference = scaled(left) - scaled(right)
        expect(compare(left, right)).toBe(difference === 0n ? 0 : difference > 0n ? 1 : -1)
      }),
    )
    expect(sum([])).toBe('0')
    expect(compare('1.0', '1')).toBe(0)
  })

  it('divides and rounds to the nearest value, a half upwards', () => {
    fc.assert(
      fc.property(amount, positive, decimals, (dividend, divisor, places) => {
        const step = 10n ** BigInt(36 - places)
        const quotient = scaled(divide(dividend, divisor, places)) / step
        const exact = scaled(dividend) * 10n ** BigInt(places)
        expect(quotient).toBe((2n * exact + scaled(divisor)) / (2n * scaled(divisor)))
        expect(scaled(roundHalfUp(dividend, places)) / step).toBe((scaled(dividend) + step / 2n) / step)
      }),
    )
    expect(divide('1', '3', 18)).toBe('0.333333333333333333')
    expect(roundHalfUp('2.345', 2)).toBe('2.35')
  })

  it('refuses what is not a decimal string, and a division by zero', () => {
    for (const value of ['-1', '1e3', '', 'abc']) expect(() => multiply(value, '1'), value).toThrow(RangeError)
    expect(() => divide('1', '0.00', 18)).toThrow('division by zero')
    expect(() => fromBaseUnits(-1n, 6)).toThrow(RangeError)
  })
})
