import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { documentBytes, documentLru } from './document-size.js'

const MB = 1024 * 1024
const full = (number: number): string => `{ payment(id: "${number}", x: {${'a: {b: 1} '.repeat(280)}}) { id } }`

describe('what is kept of documents', () => {
  it('is bounded by the memory that they take, not by their number', () => {
    const cache = documentLru<object>(4 * MB)
    for (let number = 0; number < 300; number += 1) {
      const document = parse(full(number), { noLocation: true })
      cache.set(full(number), document, { size: documentBytes(full(number), document) })
      expect(cache.calculatedSize).toBeLessThanOrEqual(4 * MB)
    }
    expect(cache.size).toBeGreaterThan(5)
    expect(cache.size).toBeLessThan(30)
    expect(cache.get(full(299))).toBeDefined()
    expect(cache.get(full(0))).toBeUndefined()
  })

  it('is forgotten by when it was used last, and counted once', () => {
    const cache = documentLru<object>(8 * MB)
    const document = parse('{ a }')
    const keep = (name: string): void => {
      const text = name.repeat(300_000)
      cache.set(text, { name }, { size: documentBytes(text, document) })
    }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'f', 'f']) keep(name)
    const before = cache.calculatedSize
    expect(cache.get('a'.repeat(300_000))).toEqual({ name: 'a' })
    keep('g')
    expect(cache.calculatedSize).toBe(before)
    expect(cache.get('b'.repeat(300_000))).toBeUndefined()
    expect(cache.get('a'.repeat(300_000))).toEqual({ name: 'a' })
  })

  it('has no place for a text that would push out most others', () => {
    const cache = documentLru<object>(1 * MB)
    const text = 'x'.repeat(200_000)
    cache.set(text, {}, { size: documentBytes(text, parse('{ a }')) })
    expect([cache.size, cache.calculatedSize]).toEqual([0, 0])
  })
})
