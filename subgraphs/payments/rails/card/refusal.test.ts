import { describe, expect, it } from 'vitest'
import { cardRefusal } from './refusal.js'

describe('why a card was refused', () => {
  it.each([
    ['51', 'approved', 'insufficient_funds'],
    ['1016', 'approved', 'insufficient_funds'],
    ['54', undefined, 'expired_card'],
    ['N7', undefined, 'invalid_security_code'],
    ['0000', 'reproved', 'suspected_fraud'],
    ['1007', 'approved', 'card_declined'],
    ['what nobody knows', undefined, 'card_declined'],
    [undefined, undefined, 'card_declined'],
  ])('is told by the return code %s and the antifraud %s as %s', (code, antifraud, refusal) => {
    expect(cardRefusal(code, antifraud)).toBe(refusal)
  })
})
