import { describe, expect, it } from 'vitest'
import { withoutCardNumbers } from './card-number.js'

describe('the text of a processor', () => {
  it.each([
    ['card 4000000000000010 refused', 'card [redacted] refused'],
    ['card 4000 0000 0000 0010 refused', 'card [redacted] refused'],
    ['card4000-0000-0000-0010', 'card[redacted]'],
    ['4000000000000010 123', '[redacted]'],
    ['40000000000000101228123', '[redacted]'],
    ['7 4000000000000010', '[redacted]'],
    ['378282246310005', '[redacted]'],
    ['30569309025904 or 6362970000457013', '[redacted] or [redacted]'],
  ])('loses the number of a card: %s', (text, redacted) => {
    expect(withoutCardNumbers(text)).toBe(redacted)
  })

  it.each([
    'NSU 4000000000000011, authorisation 123456',
    'at 1767225600000 ms',
    'order 00000000000000000018',
    'id 9007199254740993',
    'R$ 1234567890123.45 on 2026-01-31 10:15:00',
    'or_7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    '5000000000000000000000000',
  ])('keeps other numbers: %s', (text) => {
    expect(withoutCardNumbers(text)).toBe(text)
  })
})
