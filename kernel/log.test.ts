import { describe, expect, it } from 'vitest'
import { censor } from './log.js'

describe('what the log shows in place of a secret field', () => {
  it.each<[path: string[], value: unknown]>([
    [['block', 'number'], 68_000_000],
    [['number'], '21'],
    [['attempts', '0', 'number'], 3],
  ])('is the number itself where it is no card and nobody: %j', (path, value) => {
    expect(censor(value, path)).toBe(value)
  })

  it.each<[path: string[], value: unknown]>([
    [['card', 'number'], '4000000000000010'],
    [['number'], '4000 0000 0000 0010'],
    [['number'], 4_000_000_000_000_010],
    [['document', 'number'], '52998224725'],
    [['payerPhone', 'number'], '987654321'],
    [['mobile_phone', 'number'], '987654321'],
    [['card', 'number'], '4000'],
    [['cvv'], '123'],
    [['otp'], '123456'],
  ])('is nothing where it may be a card, a person or a code: %j', (path, value) => {
    expect(censor(value, path)).toBe('[redacted]')
  })
})
