import { describe, expect, it } from 'vitest'
import { isSignedAmount, typedAmount } from './page/parts/typed-amount.js'

describe('an amount as a person writes it', () => {
  it.each([
    ['120', '120', 'BRL'],
    ['120.00', '120.00', 'BRL'],
    ['120,00', '120.00', 'BRL'],
    ['R$ 120', '120', 'BRL'],
    ['r$120,5', '120.5', 'BRL'],
    // As the list itself shows it, which is what people copy.
    ['R$\u00a01.234,56', '1234.56', 'BRL'],
    ['US$1,234.56', '1234.56', 'USD'],
    ['€ 1.200', '1200', 'EUR'],
    ['1,200,000 usd', '1200000', 'USD'],
    [' CHF 80 ', '80', 'CHF'],
  ])('%j is %s %s', (text, amount, currency) => {
    expect(typedAmount(text)).toEqual({ amount, currency })
  })

  it.each(['', 'R$', 'abc', '12x', '-120', '1.2.3', '120,', '0.125', 'R$ 120 BRL', 'b-4711', '1'.repeat(16)])(
    '%j is none',
    (text) => {
      expect(typedAmount(text)).toBeUndefined()
    },
  )

  it('is taken for one where other texts are searched for only by a sign of money', () => {
    expect(['R$ 120', '£5', '120 €'].every(isSignedAmount)).toBe(true)
    expect(['2026.11', '120,00', 'BRL 120', '$abc'].some(isSignedAmount)).toBe(false)
  })
})
