import { describe, expect, it } from 'vitest'
import { decimalsOf } from './page/parts/decimals.js'
import { day, figure, moment, money } from './page/parts/format.js'

describe('amounts below each other', () => {
  it('have as many decimals as the one with the most of their token, and all of their own digits', () => {
    const amounts = [
      ['-12.91513', 'USDT'],
      ['18.450185', 'USDT'],
      ['0', 'USDT'],
      ['0.123456789012345678', 'POL'],
      ['-100', 'BRL'],
    ] as const
    const decimals = decimalsOf(amounts)
    const shown = amounts.map(([amount, currency]) => money(amount, currency, 'pt', decimals(currency)))
    expect(shown).toEqual([
      '-12,915130 USDT',
      '18,450185 USDT',
      '0,000000 USDT',
      '0,123456789012345678 POL',
      '-R$\u00a0100,00',
    ])
    expect(decimals('EUR')).toBe(0)
  })

  it('of tokens with other decimals have room for the digits that they do not have, and no digit more', () => {
    expect(figure('1234.5', 'en', 3)).toBe('1,234.5\u2007\u2007')
    expect(figure('1234', 'pt', 2)).toBe('1.234\u2008\u2007\u2007')
    expect(figure('0.000001', 'pt', 2)).toBe('0,000001')
  })
})

describe('a day', () => {
  it('is written as its reader writes it: in numbers in Brazil, with the month’s name in English', () => {
    expect(day('2026-11-05T00:00:00Z', 'pt')).toBe('05/11/2026')
    expect(day('2026-11-05T00:00:00Z', 'en')).toBe('5 Nov 2026')
    expect(moment('2026-11-25T12:00:00Z', 'pt')).toMatch(/^25\/11\/2026,\u00a0\d\d:00:00$/)
  })
})
