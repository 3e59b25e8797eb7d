import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween, makeChanges } from './changes.js'

const NAMES = fc.constantFrom('a', 'b', 'c')
const { value: VALUE } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, 1, 'x', ''),
    fc.dictionary(NAMES, tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}))
const ORDERS = fc.dictionary(NAMES, VALUE, { maxKeys: 3 })

/** As it comes back from the database. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

describe('the changes between two values', () => {
  it('make the one of the other', () => {
    fc.assert(
      fc.property(ORDERS, ORDERS, (before, after) => {
        expect(makeChanges(stored(before), stored(changesBetween(before, after)))).toEqual(after)
      }),
    )
  })

  it('of one field of one item are that field', () => {
    const items = [{ name: 'Mug', text: 'x'.repeat(1_000) }, { name: 'Pen' }]
    const after = { items: [{ ...items[0], name: 'Cup' }, { name: 'Pen' }, { name: 'Ink' }] }
    expect(changesBetween({ items }, after)).toEqual([
      { path: ['items', '0', 'name'], value: 'Cup' },
      { path: ['items', '2'], value: { name: 'Ink' } },
    ])
  })

  it('take a field that is undefined as one that is not there, and null as a value', () => {
    expect(changesBetween({ a: 1, b: 1, c: undefined }, { a: undefined, b: null })).toEqual([
      { path: ['a'] },
      { path: ['b'], value: null },
    ])
  })
})
