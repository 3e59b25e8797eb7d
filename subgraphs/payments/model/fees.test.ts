import { describe, expect, it } from 'vitest'
import { compare, sum } from '../../../kernel/money.js'
import { chargedParts, NO_FEES } from './fees.js'

describe('what a payer pays', () => {
  it('belongs to the receivers whole where no fee is set', () => {
    expect(chargedParts(NO_FEES, '100.01', 2)).toEqual({ charged: '100.01', fee: '0', spread: '0', net: '100.01' })
  })

  it('is taken apart to the last cent: fee first, spread of the rest', () => {
    const terms = { percent: '2.5', fixed: '0.39', spreadPercent: '0.75' }
    expect(chargedParts(terms, '100', 2)).toEqual({ charged: '100', fee: '2.89', spread: '0.73', net: '96.38' })
    for (let cents = 50; cents < 20_000; cents += 7) {
      const charged = (cents / 100).toFixed(2)
      const parts = chargedParts(terms, charged, 2)
      expect(parts && compare(sum([parts.fee, parts.spread, parts.net]), charged)).toBe(0)
    }
  })

  it('has to leave something for the receivers', () => {
    expect(chargedParts({ ...NO_FEES, fixed: '1' }, '1', 2)).toBeUndefined()
    expect(chargedParts({ ...NO_FEES, fixed: '1' }, '1.01', 2)).toMatchObject({ net: '0.01' })
  })
})
