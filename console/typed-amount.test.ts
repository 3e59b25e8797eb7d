import { describe, expect, it } from 'vitest'
import { isSignedAmount, typedAmount, typedPrice } from './page/parts/typed-amount.js'

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

describe('a price in the currency that is chosen beside it', () => {
  it.each([
    ['1.234,56', 'BRL', '1234.56'],
    ['1,234.56', 'USD', '1234.56'],
    ['149,9', 'USD', '149.9'],
    // Who has typed the comma goes on to the cents.
    ['149,', 'BRL', '149'],
    [' R$ 10 ', 'BRL', '10'],
    ['US$10', 'USD', '10'],
  ])('%j in %s is %s', (text, currency, price) => {
    expect(typedPrice(text, currency)).toBe(price)
  })

  it.each([
    ['', 'BRL'],
    ['12a', 'BRL'],
    ['-5', 'BRL'],
    ['0,125', 'BRL'],
    ['R$ 10', 'USD'],
    ['US$ 10', 'BRL'],
  ])('%j in %s is none', (text, currency) => {
    expect(typedPrice(text, currency)).toBeUndefined()
  })
})
