import { parse, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { composeTestGraph } from '../test/harness/composed-graph.js'

const VAN = { __typename: 'Van', id: 'v', gears: 5 }
const BICYCLE = { __typename: 'Bicycle', id: 'b' }

/**
 * A depot knows sizes that clients are not told of, which the yard does not know at all, and reasons; of what carries, it knows the
 * bicycle as a carrier alone, which is a geared vehicle at the yard.
 */
const graph = await composeTestGraph({
  depot: {
    sdl: `
      type Query {
        parcels(size: Size, search: Search): [Parcel]
        carriers: [Carrier]
        vehicles: [Vehicle]
        vehicle(id: ID!): Vehicle
        vans: [Van]
        movers: [Mover]
        depots: [Depot]
      }
      type Parcel @key(fields: "id") {
        id: ID! size: Size @shareable heldFor: Reason beside(reason: Reason = CUSTOMS @inaccessible): [Parcel!]!
      }
      enum Size { SMALL LARGE OVERSIZE @inaccessible }
      enum Reason { CUSTOMS @inaccessible SORTING }
      input Search { text: String  secret: String @inaccessible }
      union Carrier = Van | Bicycle
      interface Vehicle { id: ID! }
      interface Mover { id: ID! }
      interface Geared { gears: Int }
      type Van implements Vehicle & Mover & Geared @key(fields: "id") { id: ID! gears: Int }
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
        carriers: () => [VAN, BICYCLE],
        vehicles: () => [VAN],
        vehicle: (_root: unknown, { id }: { id: string }) => [VAN, BICYCLE].find((one) => one.id === id),
        vans: () => [VAN],
        movers: () => [VAN, { __typename: 'Drone', id: 'd' }],
        depots: () => [{ name: 'North' }],
      },
      Parcel: {
        heldFor: () => 'CUSTOMS',
        beside: ({ id }: { id: string }, { reason }: { reason: string }) =>
          reason === 'CUSTOMS' ? [{ id: id === '1' ? '2' : '1' }] : [],
      },
    },
  },
  yard: {
    sdl: `
      type Query { yards: [Vehicle] stored: [Parcel] }
      interface Vehicle { id: ID! }
      interface Geared { gears: Int }
      type Bicycle implements Vehicle & Geared @key(fields: "id") { id: ID! gears: Int }
      enum Size { SMALL LARGE }
      type Parcel @key(fields: "id") { id: ID! weight: Int size: Size @shareable }`,
    resolvers: {
      Query: {
        yards: () => [{ ...BICYCLE, gears: 3 }],
        stored: () => [
          { id: '1', size: 'SMALL' },
          { id: '2', size: 'OVERSIZE' },
        ],
      },
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
    ['such a member whose name nobody asks for', '{ movers { id } }'],
    ['such an interface in a fragment', '{ carriers { ...F } } fragment F on Mover { id }'],
  ])('%s', async (_about, source, variables = {}) => {
    const { direct, planned, ranIn } = await graph.bothWays(source, variables)
    expect(ranIn).toBeUndefined()
    expect(seen(direct)).toBe(seen(planned))
    expect(seen(direct)).not.toMatch(/"OVERSIZE"|"Drone"|"secret":|"id":"x"/)
  })
})

/** Runs a document both ways. @returns what they agree on: the data, and where errors are */
async function agreed(source: string) {
  const { direct, planned } = await graph.bothWays(source)
  const [ours, theirs] = [direct, planned].map(({ data, errors = [] }) => ({
    data,
    errors: errors.map(({ message, path }) => ({ message, path })),
  }))
  expect(ours).toEqual(theirs)
  return { data: direct.data, errorsAt: direct.errors?.map(({ path }) => path?.join('.')) ?? [] }
}

const ALL_PARCELS = [{ id: '1' }, { id: '2' }]
const BESIDE = [
  { id: '1', beside: [{ id: '2' }] },
  { id: '2', beside: [{ id: '1' }] },
]

describe('a value that clients are not told of', () => {
  it.each<[string, string, unknown, string[]?]>([
    ['harms nobody who does not ask for it', '{ stored { id } }', { stored: ALL_PARCELS }],
    [
      'is an error of a subgraph that does not know it itself',
      '{ stored { id size } }',
      {
        stored: [
          { id: '1', size: 'SMALL' },
          { id: '2', size: null },
        ],
      },
      ['stored.1.size'],
    ],
    [
      'is null without an error where its subgraph knows it',
      '{ parcels { id size } }',
      {
        parcels: [
          { id: '1', size: 'SMALL' },
          { id: '2', size: null },
          { id: '3', size: 'LARGE' },
        ],
      },
    ],
    [
      'leaves the others for an argument',
      '{ parcels(size: LARGE) { size } }',
      { parcels: [{ size: 'LARGE' }, { size: null }, { size: 'LARGE' }] },
    ],
    [
      'is used for an argument that clients are not told of either',
      '{ stored { id beside { id } } }',
      { stored: BESIDE },
    ],
    [
      'is used so behind the root of its own subgraph, and null where it is asked for',
      '{ parcels { beside { id heldFor } } }',
      { parcels: ['2', '1', '1'].map((id) => ({ beside: [{ id, heldFor: null }] })) },
    ],
  ])('%s', async (_about, source, data, errorsAt = []) => {
    expect(await agreed(source)).toEqual({ data, errorsAt })
  })

  it.each(['{ parcels(size: OVERSIZE) { id } }', '{ parcels { beside(reason: SORTING) { id } } }'])(
    'is refused before anything runs: %s',
    (source) => {
      expect(validate(graph.supergraph.apiSchema, parse(source))).toHaveLength(1)
    },
  )
})

describe('a type that is of an interface in another subgraph alone', () => {
  it.each<[string, string, unknown, string[]?]>([
    [
      'is found by it in a union',
      '{ carriers { __typename ... on Vehicle { id } } }',
      { carriers: [VAN, BICYCLE].map(({ __typename, id }) => ({ __typename, id })) },
    ],
    ['has its fields there', '{ carriers { ... on Geared { gears } } }', { carriers: [{ gears: 5 }, { gears: 3 }] }],
    [
      'may be asked for where it cannot be',
      '{ vehicles { ... on Van { gears } ... on Bicycle { id } } }',
      { vehicles: [{ gears: 5 }] },
    ],
    ['is not among those of this subgraph', '{ vehicles { id } }', { vehicles: [{ id: 'v' }] }],
    ['nor within the interface itself', '{ vehicles { ... on Vehicle { id } } }', { vehicles: [{ id: 'v' }] }],
    [
      'nor within another one',
      '{ vehicles { ... on Vehicle { ... on Geared { gears } } } }',
      { vehicles: [{ gears: 5 }] },
    ],
    [
      'nor however deep they are within each other',
      '{ vehicles { ... on Vehicle { id ... on Vehicle { id ... on Geared { gears } } } } }',
      { vehicles: [{ id: 'v', gears: 5 }] },
    ],
    [
      'leaves the fragments of others as they are',
      '{ vans { ...Own ...Shared } } fragment Own on Van { id } fragment Shared on Vehicle { id __typename }',
      { vans: [{ id: 'v', __typename: 'Van' }] },
    ],
    [
      'is null with an error where this subgraph says it is one',
      '{ vehicle(id: "b") { ... on Bicycle { gears } } }',
      { vehicle: null },
      ['vehicle'],
    ],
    ['whatever is asked of it', '{ vehicle(id: "b") { ... on Van { gears } } }', { vehicle: null }, ['vehicle']],
    ['and another is found', '{ vehicle(id: "v") { ... on Van { gears } } }', { vehicle: { gears: 5 } }],
  ])('%s: %s', async (_about, source, data, errorsAt = []) => {
    expect(await agreed(source)).toEqual({ data, errorsAt })
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
