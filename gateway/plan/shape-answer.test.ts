import { describe, expect, it } from 'vitest'
import { composeTestGraph } from '../../test/harness/composed-graph.js'

const NOTED = ['f', 'lost'].map((id) => ({ id, note: `note on ${id}` }))

/** An archive knows works by their kinds; to notes and shelves a work is one kind of object. */
const graph = await composeTestGraph({
  archive: {
    sdl: `
      type Query { works: [Work] }
      interface Work @key(fields: "id") { id: ID! }
      type Film implements Work @key(fields: "id") { id: ID! length: Int }`,
    resolvers: {
      Query: { works: () => [{ __typename: 'Film', id: 'f', length: 90 }] },
      Work: { __resolveReference: ({ id }: { id: string }) => (id === 'f' ? { __typename: 'Film', id } : null) },
      Film: { length: () => 90 },
    },
  },
  notes: {
    sdl: `
      type Query { noted: [Work] }
      type Work @key(fields: "id") @interfaceObject { id: ID! note: String }`,
    resolvers: {
      Query: { noted: () => NOTED },
      Work: { __resolveReference: ({ id }: { id: string }) => NOTED.find((one) => one.id === id) ?? null },
    },
  },
  shelves: {
    sdl: `
      type Query { lent: Work! }
      type Work @key(fields: "id", resolvable: false) @interfaceObject { id: ID! }`,
    resolvers: { Query: { lent: () => ({ id: 'f' }) } },
  },
})

describe('an interface that is an object to a subgraph', () => {
  it.each<[string, string, unknown]>([
    ['is answered by that subgraph alone', '{ noted { note } }', { noted: NOTED.map(({ note }) => ({ note })) }],
    ['is answered where it may not be null', '{ lent { id } }', { lent: { id: 'f' } }],
    [
      'has fields of others',
      '{ lent { note } works { note } }',
      {
        lent: { note: 'note on f' },
        works: [{ note: 'note on f' }],
      },
    ],
    ['is what another subgraph says it is', '{ lent { ... on Film { length } } }', { lent: { length: 90 } }],
    ['is null where nobody says so', '{ noted { kind: __typename id } }', { noted: [{ kind: 'Film', id: 'f' }, null] }],
    [
      'says what it is under another name',
      '{ lent { id ... on Work { of: __typename } } }',
      {
        lent: { id: 'f', of: 'Film' },
      },
    ],
  ])('%s: %s', async (_about, source, data) => {
    const { direct, planned } = await graph.bothWays(source)
    expect(direct).toEqual(planned)
    expect(direct.data).toEqual(data)
  })
})
