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

/** To the keeper a room is one of several kinds, of which it knows none; nobody can be asked for a room by its id. */
const rooms = await composeTestGraph({
  keeper: {
    sdl: 'type Query { room: Room key: String } interface Room @key(fields: "id") { id: ID! }',
    resolvers: { Query: { room: () => ({ __typename: 'Room', id: 'r' }), key: () => 'brass' } },
  },
  plans: {
    sdl: `
      type Query { hall: Room }
      type Room @key(fields: "id", resolvable: false) @interfaceObject { id: ID! area: Int }`,
    resolvers: { Query: { hall: () => ({ id: 'r' }) }, Room: { area: () => 12 } },
  },
})

describe('what no subgraph can be asked for', () => {
  it.each([
    ['alone', '{ room { area } }', 'room'],
    ['beside what one can be', '{ mine: room { area } key }', 'mine'],
  ])('is refused before anything runs: %s', async (_about, source, name) => {
    const { direct } = await rooms.bothWays(source)
    const [told] = direct.errors ?? []
    expect(direct.data).toBeUndefined()
    expect(told?.message).toBe(`No subgraph can answer what is selected of "${name}".`)
    expect(told?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED')
  })

  it.each([
    ['{ room @skip(if: true) { area } key }', {}, { key: 'brass' }],
    ['query ($with: Boolean!) { room @include(if: $with) { area } key }', { with: false }, { key: 'brass' }],
    ['{ room @skip(if: true) { area } of: __typename }', {}, { of: 'Query' }],
    ['{ hall { area } }', {}, { hall: { area: 12 } }],
  ])('matters only where it is asked for: %s', async (source, variables, data) => {
    const { direct, planned } = await rooms.bothWays(source, variables)
    expect(direct).toEqual(planned)
    expect(direct.data).toEqual(data)
  })
})
