import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeByIndex, type Patch } from './merge.js'

interface Item {
  name: string
  quantity: number
  note?: string
}

const name = fc.string()
const quantity = fc.nat()
const note = fc.string()
const items = fc.array(fc.record({ name, quantity, note }, { requiredKeys: ['name', 'quantity'] }))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.constant(null), fc.constant(undefined))
const patches: fc.Arbitrary<Patch<Item>[]> = fc.array(
  fc.record({ name: maybe(name), quantity: maybe(quantity), note: maybe(note) }, { requiredKeys: [] }),
)

describe('merging a list by index', () => {
  it('takes each field of each item, stored or behind the last, from what was sent where that says something; null clears', () => {
    fc.assert(
      fc.property(items, patches, (stored, sent) => {
        const before = structuredClone({ stored, sent })
        const merged = mergeByIndex(stored, sent)
        expect({ stored, sent }).toEqual(before)
        expect(merged).toHaveLength(Math.max(stored.length, sent.length))
        for (const [index, item] of merged.entries()) {
          for (const field of ['name', 'quantity', 'note'] as const) {
            const said = sent[index]?.[field]
            expect(item[field]).toBe(said === null ? undefined : (said ?? stored[index]?.[field]))
          }
        }
      }),
    )
  })

  it('changes nothing when it is done a second time, or with nothing, or with what is stored', () => {
    fc.assert(
      fc.property(items, patches, (stored, sent) => {
        const merged = mergeByIndex<Partial<Item>>(stored, sent)
        expect(mergeByIndex(merged, sent)).toEqual(merged)
        expect(mergeByIndex(stored, [])).toEqual(stored)
        expect(mergeByIndex(stored, stored)).toEqual(stored)
      }),
    )
  })
})
