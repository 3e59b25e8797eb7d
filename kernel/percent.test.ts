import { describe, expect, it } from 'vitest'
import { percentNumber, percentProblem, percentText } from './percent.js'

describe('a percentage', () => {
  it.each([
    ['100', 100],
    ['33.30', 33.3],
    ['0.0000001', 1e-7],
    ['0.000000000000000005', 5e-18],
    ['99.99999999999999', 99.99999999999999],
    ['100.000000000000000001', NaN],
    ['33.33333333333333333', NaN],
    ['0.1000000000000000055', NaN],
  ])('%s is read as the number %d', (text, number) => {
    expect(percentNumber(text)).toBe(number)
  })

  it.each([
    [100, '100'],
    [-0.5, '-0.5'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
  ])('%d is written as %s', (number, text) => {
    expect(percentText(number)).toBe(text)
  })

  it('that is none is not written', () => {
    for (const none of [NaN, Infinity]) expect(() => percentText(none)).toThrow()
  })

  it.each([
    ['101', 'must be from 0 to 100'],
    ['999999999999999999999999999999', 'must be from 0 to 100'],
    ['33.33333333333333333', 'must have at most 15 digits'],
    ['100', undefined],
  ])('%s is refused, or not: %s', (text, problem) => {
    expect(percentProblem(percentNumber(text))).toBe(problem)
  })
})
