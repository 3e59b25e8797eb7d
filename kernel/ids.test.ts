import { describe, expect, it } from 'vitest'
import { idBound, idSource, isId } from './ids.js'

const AT = new Date('2026-07-01T12:00:00.000Z')

describe('ids', () => {
  const newId = idSource(() => AT)
  // More than one stock of random characters is good for.
  const ids = Array.from({ length: 3_000 }, newId)

  it('are of one form, begin with their time, and none comes twice', () => {
    expect(ids.every((id) => isId(id) && id.length === 25 && id.startsWith(idBound(AT)))).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('favour none of the characters', () => {
    const counts = new Map<string, number>()
    for (const id of ids) for (const character of id.slice(9)) counts.set(character, (counts.get(character) ?? 0) + 1)
    // Of 48,000 characters 1,333 are each of the 36, give or take 36 (the standard deviation); eight times that is never seen.
    expect(counts.size).toBe(36)
    for (const count of counts.values()) expect(Math.abs(count - 48_000 / 36)).toBeLessThan(8 * 36)
  })
})
