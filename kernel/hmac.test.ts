import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hmacSha256 } from './hmac.js'

describe('a signature of a text', () => {
  it('is the one that RFC 4231 has for its second case', () => {
    const signature = Buffer.from(hmacSha256('what do ya want for nothing?', Buffer.from('Jefe')), 'base64url')
    expect(signature.toString('hex')).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })

  it('is what Node makes of any key and text', () => {
    const texts = [
      '',
      'a',
      'pagamento de 54,20 €',
      '\u{1f4b8}'.repeat(100),
      'x'.repeat(63),
      'x'.repeat(64),
      'x'.repeat(10_000),
    ]
    for (const bytes of [0, 1, 16, 32, 63, 64]) {
      const key = randomBytes(bytes)
      for (const text of texts) {
        expect(hmacSha256(text, key)).toBe(createHmac('sha256', key).update(text).digest('base64url'))
      }
    }
  })

  it('is refused for a key that would have to be hashed first', () => {
    expect(() => hmacSha256('text', randomBytes(65))).toThrow('at most 64 bytes')
  })
})
