import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANSWER_MAX_BYTES, isLargerThan } from './answer-size.js'

describe('the size of an answer', () => {
  it('is told without making its text, of one large part that is named a million times', () => {
    const metadata = { note: 'x'.repeat(250_000) }
    let looks = 0
    const payment = new Proxy(
      { metadata },
      { get: (target, name) => ((looks += 1), Reflect.get(target, name) as unknown) },
    )
    expect(isLargerThan({ payments: new Array(1_000_000).fill(payment) }, ANSWER_MAX_BYTES)).toBe(true)
    expect(looks).toBeLessThan(50)
  })

  it('is never told to be small where it is large, whatever characters it is of', () => {
    for (const character of ['a', '"', '\u0001', 'ç', '漢', '😀']) {
      const bytes = Buffer.byteLength(JSON.stringify(character)) - 2
      const text = character.repeat(Math.ceil(ANSWER_MAX_BYTES / bytes) + 100)
      expect([character, isLargerThan([text], ANSWER_MAX_BYTES)]).toEqual([character, true])
      expect([character, isLargerThan([text.slice(0, text.length / 2)], ANSWER_MAX_BYTES)]).toEqual([character, false])
    }
  })

  it('is told by each limit anew, also of an answer that is kept', () => {
    const kept = Object.freeze(['x'.repeat(10_000)])
    for (const maxBytes of [100, 9_000, 100_000, 9_000, 100]) {
      expect([maxBytes, isLargerThan({ kept }, maxBytes)]).toEqual([maxBytes, maxBytes < 10_000])
    }
  })

  it('is that of its JSON text, give or take the names and numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = Buffer.byteLength(JSON.stringify(value))
        expect(isLargerThan(value, bytes * 3 + 10)).toBe(false)
        expect(isLargerThan(value, Math.floor(bytes / 7) - 10)).toBe(true)
      }),
    )
  })
})
