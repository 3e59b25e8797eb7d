import { describe, expect, it } from 'vitest'
import { composeTestGraph } from '../test/harness/composed-graph.js'

/** A depot knows sizes that clients are not told of, and two kinds of carriers; a yard knows a third. */
const graph = await composeTestGraph({
  depot: {
    sdl: `
      type Query {
        parcels(size: Size, search: Search): [Parcel]
        carriers: [Carrier]
        vehicles: [Vehicle]
        movers: [Mover]
        depots: [Depot]
      }
      type Parcel @key(fields: "id") { id: ID! size: Size }
      enum Size { SMALL LARGE OVERSIZE @inaccessible }
      input Search { text: String  secret: String @inaccessible }
      union Carrier = Van | Bicycle
      interface Vehicle { id: ID! }
      interface Mover { id: ID! }
      type Van implements Vehicle & Mover @key(fields: "id") { id: ID! }
      type Bicycle @key(fields: "id") { id: ID! }
      type Drone implements Mover @inaccessible { id: ID! }
      type Depot { name: String }`,
    resolvers: {
      Query: {
        parcels: (_root: unknown, { size, search }: { size?: string; search?: { secret?: string } }) => [
          { id: '1', size: size ?? 'SMALL' },
          { id: '2', size: 'OVERSIZE' },
          { id: search?.secret ?? '3', size: 'LARGE' },
        ],
        carriers: () => [
          { __typename: 'Van', id: 'v' },
          { __typename: 'Bicycle', id: 'b' },
        ],
        vehicles: () => [{ __typename: 'Van', id: 'v' }],
        movers: () => [
          { __typename: 'Van', id: 'v' },
          { __typename: 'Drone', id: 'd' },
        ],
        depots: () => [{ name: 'North' }],
      },
    },
  },
  yard: {
    sdl: `
      type Query { yards: [Vehicle] }
      interface Vehicle { id: ID! }
      type Bicycle implements Vehicle @key(fields: "id") { id: ID! gears: Int }
      type Parcel @key(fields: "id") { id: ID! weight: Int }`,
    resolvers: {
      Query: { yards: () => [{ __typename: 'Bicycle', id: 'b', gears: 3 }] },
      Bicycle: { gears: () => 3 },
      Parcel: { weight: () => 7 },
    },
  },
})

/** What a client sees of an answer. */
const seen = ({ data, errors }: Awaited<ReturnType<typeof graph.bothWays>>['direct']) =>
  JSON.stringify({ data, errors: errors?.map(({ message, path, extensions }) => ({ message, path, extensions })) })

describe('a document goes through the planner where its subgraph differs from the API', () => {
  it.each<[string, string, Record<string, unknown>?]>([
    ['a value of an enum that clients are not told of', '{ parcels { id size } }'],
    ['such an enum for an argument', 'query ($size: Size) { parcels(size: $size) { id } }', { size: 'OVERSIZE' }],
    ['an input with such a field', 'query ($s: Search) { parcels(search: $s) { id } }', { s: { secret: 'x' } }],
    ['a member of a union that implements an interface elsewhere', '{ carriers { ... on Vehicle { id } } }'],
    ['an interface with members elsewhere', '{ vehicles { id } }'],
    ['an interface with a member that clients are not told of', '{ movers { __typename id } }'],
    ['such an interface in a fragment', '{ carriers { ...F } } fragment F on Mover { id }'],
  ])('%s', async (_about, source, variables = {}) => {
    const { direct, planned, ranIn } = await graph.bothWays(source, variables)
    expect(ranIn).toBeUndefined()
    expect(seen(direct)).toBe(seen(planned))
    expect(seen(direct)).not.toMatch(/"OVERSIZE"|"Drone"|"secret":|"id":"x"/)
  })

  it('and answers what the whole graph knows', async () => {
    const { direct } = await graph.bothWays('{ carriers { __typename ... on Vehicle { id } } }')
    expect(direct.data).toEqual({
      carriers: [
        { __typename: 'Van', id: 'v' },
        { __typename: 'Bicycle', id: 'b' },
      ],
    })
  })
})

describe('a document goes straight to its subgraph where that has nothing otherwise', () => {
  it.each([
    ['in what is asked for', 'depot', '{ depots { name } }'],
    ['beside what it has otherwise', 'depot', '{ parcels { id } depots { name } }'],
    ['in a union whose members are its own', 'depot', '{ carriers { __typename ... on Van { id } } }'],
  ])('%s', async (_about, subgraph, source) => {
    const { direct, planned, ranIn } = await graph.bothWays(source)
    expect(ranIn).toBe(subgraph)
    expect(seen(direct)).toBe(seen(planned))
  })
})
