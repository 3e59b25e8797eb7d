import { describe, expect, it } from 'vitest'
import { readOrder, shownCardOf } from './wire.js'

const card = {
  id: 'card_1',
  brand: 'Visa',
  first_six_digits: '400000',
  last_four_digits: '0010',
  holder_name: 'ANA SILVA',
}
const order = (transaction: object) => ({
  id: 'or_1',
  code: 'charge-1',
  status: 'pending',
  charges: [{ id: 'ch_1', status: 'pending', amount: 100, last_transaction: transaction }],
})

describe('what is shown of the card that pays', () => {
  it('is its brand, last four digits and holder, by what is stored of the order', () => {
    const shown = { brand: 'Visa', lastFourDigits: '0010', holderName: 'ANA SILVA' }
    expect(shownCardOf(readOrder(order({ status: 'captured', card })).data)).toEqual(shown)
  })

  it('is null for what the processor does not say, and no number that was typed as a name', () => {
    const { last_four_digits } = card
    expect(shownCardOf(readOrder(order({ card: { last_four_digits } })).data)).toEqual({
      brand: null,
      lastFourDigits: '0010',
      holderName: null,
    })
    const holder_name = '4000 0000 0000 0010'
    const typed = shownCardOf(readOrder(order({ card: { last_four_digits, holder_name } })).data)
    expect(typed?.holderName).not.toContain('4000 0000')
  })

  it.each([[null], [{ message: 'Waiting for the signed transaction.' }], [{ charges: [] }], [{ charges: [{}] }]])(
    'is nothing where an answer has no card: %j',
    (stored) => {
      expect(shownCardOf(stored)).toBeUndefined()
    },
  )
})
