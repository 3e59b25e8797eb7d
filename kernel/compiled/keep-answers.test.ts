import { buildSchema, execute, isObjectType, parse, type GraphQLSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { compiledExecute } from './compiled-execute.js'
import { unchanging } from './keep-answers.js'

interface Box {
  items: { name: string; price: number | null }[]
  note: unknown
}

/** A root field that gives a box, with a field of a resolver besides; how often prices are read is counted. */
function boxSchema(box: Box): GraphQLSchema {
  const schema = buildSchema(`
    type Query { box: Box other: Box }
    type Box { items: [Item!]! note: String count: Int self: Box }
    type Item { name: String! price: Float }`)
  const query = schema.getQueryType()?.getFields() ?? {}
  for (const field of Object.values(query)) field.resolve = () => box
  const type = schema.getType('Box')
  const count = isObjectType(type) ? type.getFields()['count'] : undefined
  let calls = 0
  if (count) count.resolve = () => (calls += 1)
  return schema
}

function newBox(): { box: Box; reads: () => number } {
  let reads = 0
  const item = (name: string) => ({
    name,
    get price() {
      reads += 1
      return 1.5
    },
  })
  return { box: { items: [item('a'), item('b')], note: null }, reads: () => reads }
}

const PLAIN = '{ box { items { name cost: price kind: __typename } note } }'
const boxOf = async (run: ReturnType<typeof compiledExecute>, source: string, variables = {}) => {
  const document = documents.get(source) ?? parse(source)
  documents.set(source, document)
  return (await run({ document, variableValues: variables })).data?.['box']
}
const documents = new Map<string, ReturnType<typeof parse>>()

describe('what is answered of an unchanging value', () => {
  it('is made once for each selection, is frozen, and is what graphql-js answers', async () => {
    const { box, reads } = newBox()
    const schema = boxSchema(unchanging(box))
    const run = compiledExecute(schema)
    const first = await boxOf(run, PLAIN)
    expect(await boxOf(run, PLAIN)).toBe(first)
    expect(reads()).toBe(2)
    expect(Object.isFrozen(first) && Object.isFrozen((first as Box).items[0])).toBe(true)
    const { data } = await execute({ schema, document: parse(PLAIN) })
    expect(JSON.stringify(first)).toBe(JSON.stringify(data?.['box']))
    expect(await boxOf(run, '{ box { items { name } } }')).toEqual({ items: [{ name: 'a' }, { name: 'b' }] })
  })

  it('is made anew of another value, and of every value that may change', async () => {
    const { box, reads } = newBox()
    const run = compiledExecute(boxSchema(box))
    const first = await boxOf(run, PLAIN)
    box.note = 'changed'
    expect(await boxOf(run, PLAIN)).toMatchObject({ note: 'changed' })
    expect([Object.isFrozen(first), reads()]).toEqual([false, 4])
  })

  it('is made anew where a field has a resolver, however deep', async () => {
    const { box } = newBox()
    const run = compiledExecute(boxSchema(unchanging(Object.assign(box, { self: box }))))
    const source = '{ box { self { self { count } } } }'
    const counts = [await boxOf(run, source), await boxOf(run, source)].map((answer) => JSON.stringify(answer))
    expect(counts).toEqual(['{"self":{"self":{"count":1}}}', '{"self":{"self":{"count":2}}}'])
  })

  it('is made anew where it has an error, so that each answer tells it', async () => {
    const { box } = newBox()
    box.note = new Error('no note')
    const run = compiledExecute(boxSchema(unchanging(box)))
    const document = parse(PLAIN)
    for (let time = 0; time < 2; time += 1) {
      const { errors } = await run({ document })
      expect(errors?.map(({ message, path }) => [message, path])).toEqual([['no note', ['box', 'note']]])
    }
  })

  it('follows the flags of each run', async () => {
    const run = compiledExecute(boxSchema(unchanging(newBox().box)))
    const source = 'query ($on: Boolean!) { box { note items @include(if: $on) { name } } }'
    for (const on of [true, false, true])
      expect(Object.keys((await boxOf(run, source, { on })) as Box)).toEqual(on ? ['note', 'items'] : ['note'])
  })

  it('is of so few selections that documents of clients do not fill the memory with it', async () => {
    const { box, reads } = newBox()
    const run = compiledExecute(boxSchema(unchanging(box)))
    const sources = Array.from({ length: 40 }, (_, index) => `{ box { items { p${index}: price } } }`)
    for (const source of sources) await boxOf(run, source)
    expect(reads()).toBe(80)
    await boxOf(run, sources.at(-1) ?? '')
    expect(reads()).toBe(80)
    await boxOf(run, sources[0] ?? '')
    expect(reads()).toBe(82)
  })
})
