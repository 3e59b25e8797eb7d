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
  it('keeps every stored item and appends what lies behind the last', () => {
    fc.assert(
      fc.property(items, patches, (stored, sent) => {
        expect(mergeByIndex(stored, sent)).toHaveLength(Math.max(stored.length, sent.length))
      }),
    )
  })

  it('takes each field from what was sent where that says something, and otherwise from what is stored', () => {
    fc.assert(
      fc.property(items, patches, (stored, sent) => {
        for (const [index, item] of mergeByIndex<Item>(stored, sent).entries()) {
          for (const field of ['name', 'quantity', 'note'] as const) {
            expect(item[field]).toBe(sent[index]?.[field] ?? stored[index]?.[field])
          }
        }
      }),
    )
  })

  it('changes nothing when it is done a second time, or with nothing, or with what is stored', () => {
    fc.assert(
      fc.property(items, patches, (stored, sent) => {
        const merged = mergeByIndex<Item>(stored, sent)
        expect(mergeByIndex<Partial<Item>>(merged, sent)).toEqual(merged)
        expect(mergeByIndex<Item>(stored, [])).toEqual(stored)
        expect(mergeByIndex<Item>(stored, stored)).toEqual(stored)
      }),
    )
  })

  it('leaves its arguments as they are', () => {
    fc.assert(
      fc.property(items, patches, (stored, sent) => {
        const before = structuredClone({ stored, sent })
        mergeByIndex<Item>(stored, sent)
        expect({ stored, sent }).toEqual(before)
      }),
    )
  })
})
