import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  displayPrefix,
  hashApiKey,
  hashIfApiKey,
  isApiKey,
  newApiKey,
  parseApiKey,
  type ApiKeyMode,
} from './api-key.js'

const modes = fc.constantFrom<ApiKeyMode>('live', 'test')
/** Random bytes that fast-check chooses; every other call is from the machine, so that rejected bytes cannot go on for ever. */
const keys = fc.tuple(modes, fc.uint8Array({ minLength: 64, maxLength: 64 })).map(([mode, bytes]) => {
  let calls = 0
  return newApiKey(mode, (size) => (calls++ === 0 ? Buffer.from(bytes) : randomBytes(size)))
})

describe('an API key', () => {
  it('has the form that secret scanners look for, and its mode can be read', () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(key).toMatch(/^sk_(live|test)_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/)
        expect(parseApiKey(key)).toEqual({ mode: key.slice(3, 7) })
        expect(displayPrefix(key)).toBe(key.slice(0, 12))
      }),
    )
  })

  it('is recognised as mistyped when one character was changed or two neighbours were swapped', () => {
    fc.assert(
      fc.property(keys, fc.nat(36), fc.constantFrom(...'09AZaz'), (key, offset, other) => {
        const at = 8 + offset
        const changed = key.slice(0, at) + other + key.slice(at + 1)
        expect(parseApiKey(changed) === undefined).toBe(changed !== key)
        const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
        expect(parseApiKey(swapped) === undefined).toBe(swapped !== key)
      }),
    )
  })

  it('is not any other text, nor is a live key a test key', () => {
    fc.assert(fc.property(fc.string(), (text) => parseApiKey(text) === undefined))
    const key = newApiKey('live', randomBytes)
    for (const text of [key.replace('live', 'test'), ` ${key}`, `${key}\n`, key.slice(0, -1), `${key}0`]) {
      expect(isApiKey(text)).toBe(false)
    }
    expect(isApiKey(key)).toBe(true)
  })

  it('is hashed only where a text has its form', () => {
    const key = newApiKey('live', randomBytes)
    for (const text of [` ${key}`, `${key}\n`, key.slice(0, -1), `${key}0`, key.replace('live', 'else')]) {
      expect(hashIfApiKey(text)).toBeUndefined()
    }
  })

  it('is stored as its SHA-256', () => {
    const key = newApiKey('test', randomBytes)
    expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'))
    expect(hashIfApiKey(key)).toBe(hashApiKey(key))
  })

  it('uses every character of the alphabet about equally often', () => {
    const text = Array.from({ length: 2_000 }, () => newApiKey('test', randomBytes).slice(8, 40)).join('')
    const counts = Object.values(Object.groupBy(text, (character) => character)).map((all) => all?.length ?? 0)
    expect(counts).toHaveLength(62)
    // 64 000 characters: 1032 of each, standard deviation 32; eight of them is never.
    expect(Math.min(...counts)).toBeGreaterThan(776)
    expect(Math.max(...counts)).toBeLessThan(1288)
  })
})
