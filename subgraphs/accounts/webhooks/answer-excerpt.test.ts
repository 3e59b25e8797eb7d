import { describe, expect, it } from 'vitest'
import { answerExcerpt, EXCERPT_BYTES } from './answer-excerpt.js'

const KEY = 'MfKQ9r8G/YqrTwjUPD8I+PZIo2LaLaSw'
const SECRET = `whsec_${KEY}`
const excerpt = (text: string, secrets = [SECRET]) => answerExcerpt(Buffer.from(text), secrets)

describe('what is kept of an answer', () => {
  it('is its first 1,000 characters', () => {
    expect(excerpt('<h1>Oops</h1>\n\ttry later')).toBe('<h1>Oops</h1>\n\ttry later')
    expect(excerpt('é'.repeat(3000))).toBe('é'.repeat(1000))
    // The surrogate whose other half is behind the end could not be stored.
    expect(excerpt(`${'x'.repeat(999)}😀`)).toBe(`${'x'.repeat(999)}\uFFFD`)
  })

  it('is nothing where nothing was answered, or no text', () => {
    expect(excerpt('')).toBeNull()
    expect(excerpt('a\u0000b')).toBeNull()
    expect(answerExcerpt(Buffer.from([0x1f, 0x8b, 0x08, 0xff]), [])).toBeNull()
  })

  it('is text also where it was cut within a character', () => {
    expect(answerExcerpt(Buffer.from('né').subarray(0, 2), [])).toBe('n')
  })

  it.each([
    SECRET,
    KEY,
    JSON.stringify({ secret: SECRET }).replaceAll('/', '\\/'),
    KEY.replaceAll('/', '\\/'),
    encodeURIComponent(SECRET),
    Buffer.from(KEY, 'base64').toString('hex'),
    'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
    `sk_live_${'a1B2'.repeat(9)}xy`,
    '4111 1111 1111 1111',
    '4111111111111111',
    '529.982.247-25',
    '11.222.333/0001-81',
  ])('has nothing that is secret: %s', (secret) => {
    const shown = excerpt(`signed with ${secret} but`) ?? ''
    expect(shown).toContain('signed with ')
    expect(shown).toContain('•••••••••••')
    for (const part of [secret.slice(-9), KEY.slice(-9), KEY.slice(0, 8)]) expect(shown).not.toContain(part)
    expect(shown.endsWith(' but')).toBe(true)
  })

  it('has no half of a secret at its end, wherever the secret stands', () => {
    for (let before = 960; before <= 1000; before += 1) {
      const kept = excerpt(`${'x'.repeat(before)}${KEY}`.slice(0, EXCERPT_BYTES)) ?? ''
      expect(kept.replaceAll(/[x•]/g, '')).toBe('')
    }
  })

  it('keeps dates, short numbers and ids, by which a fault is found', () => {
    const text = '{"at":"2026-11-23T14:21:02Z","line":120345,"order":"cmxc2gez5kvuflnhaegltr9ww"}'
    expect(excerpt(text)).toBe(text)
  })
})
