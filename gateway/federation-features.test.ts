import { beforeEach, describe, expect, it } from 'vitest'
import { composeTestGraph } from '../test/harness/composed-graph.js'

const SHIPS = [
  { __typename: 'Ship', id: 'alba', length: 100, draught: 7, pilot: { id: 'ines' }, size: { value: 9, unit: 'kt' } },
  { __typename: 'Ship', id: 'lost', length: 80, draught: 5, pilot: { id: 'nobody' }, size: null },
  { __typename: 'Ship', id: 'brisa', length: 60, draught: null, pilot: null, size: null },
]
const shipOf = (id: string) => SHIPS.find((ship) => ship.id === id) ?? null
const PILOTS = [{ id: 'ines', name: 'Inês', guides: { id: 'alba' }, height: { value: 2, unit: 'm' } }]

/** How often the subgraph of crews was asked for ships or pilots of others. */
let asked = 0
const found = <Thing>(thing: Thing): Thing => {
  asked += 1
  return thing
}
beforeEach(() => {
  asked = 0
})

/** A port knows ships and where they lie; crews know pilots, and add to ships what follows from their size. */
const graph = await composeTestGraph({
  port: {
    sdl: `
      type Query { ship(id: ID!): Ship ships: [Ship] berths: [Berth] log: [Entry] thing(id: ID!): Thing }
      interface Thing { id: ID! }
      union Entry = Ship | Pilot
      type Ship implements Thing @key(fields: "id") {
        id: ID! length: Int draught: Int flag: String pilot: Pilot size: Measure
      }
      type Pilot @key(fields: "id", resolvable: false) { id: ID! name: String @external }
      type Berth { number: Int pilot: Pilot @provides(fields: "name") }
      type Measure @shareable { value: Int unit: String }`,
    resolvers: {
      Query: {
        ship: (_root: unknown, { id }: { id: string }) => shipOf(id),
        thing: (_root: unknown, { id }: { id: string }) => shipOf(id),
        ships: () => [SHIPS[0], null, ...SHIPS.slice(1)],
        berths: () => [{ number: 1, pilot: { id: 'ines', name: 'Inês' } }],
        log: () => [{ __typename: 'Pilot', id: 'ines' }, SHIPS[0], null, { __typename: 'Pilot', id: 'nobody' }],
      },
      Ship: {
        __resolveReference: ({ id }: { id: string }) => shipOf(id),
        flag: () => Promise.reject(new Error('crews say it now')),
      },
    },
  },
  crews: {
    sdl: `
      type Query { pilots: [Pilot] }
      type Pilot @key(fields: "id") { id: ID! name: String @shareable guides: Ship height: Measure }
      type Ship @key(fields: "id") {
        id: ID! length: Int @external draught: Int @external
        flag: String @override(from: "port") fee: Int @requires(fields: "length draught")
      }
      type Measure @shareable { value: Int unit: String }`,
    resolvers: {
      Query: { pilots: () => PILOTS },
      Pilot: { __resolveReference: ({ id }: { id: string }) => found(PILOTS.find((pilot) => pilot.id === id) ?? null) },
      Ship: {
        __resolveReference: (ship: { id: string }) => found(ship.id === 'lost' ? null : ship),
        flag: () => 'PT',
        fee: ({ length, draught }: { length: number; draught: number | null }) =>
          draught === null ? null : length * draught,
      },
    },
  },
})

/** What is answered, on the shortest way and by the planner alike. */
async function answerTo(source: string, variables: Record<string, unknown> = {}) {
  const { direct, planned, ranIn } = await graph.bothWays(source, variables)
  expect(direct).toEqual(planned)
  expect(direct.errors).toBeUndefined()
  return { data: direct.data, ranIn }
}

describe('a thing that several subgraphs know', () => {
  it('stays in its place in a list beside null, and beside one that the other subgraph does not know', async () => {
    const { data } = await answerTo('{ ships { id fee } }')
    expect(data).toEqual({
      ships: [{ id: 'alba', fee: 700 }, null, { id: 'lost', fee: null }, { id: 'brisa', fee: null }],
    })
  })

  it('is asked for what a field requires, which is shown only to whom asks for it', async () => {
    expect((await answerTo('{ ship(id: "alba") { fee } }')).data).toEqual({ ship: { fee: 700 } })
    const { data } = await answerTo('{ ship(id: "alba") { long: length fee draught } }')
    expect(data).toEqual({ ship: { long: 100, fee: 700, draught: 7 } })
  })

  it('leads to another, and that back to it', async () => {
    const { data } = await answerTo('{ ship(id: "alba") { pilot { name guides { id length pilot { name } } } } }')
    const pilot = { name: 'Inês' }
    expect(data).toEqual({ ship: { pilot: { ...pilot, guides: { id: 'alba', length: 100, pilot } } } })
  })

  it('is null where its reference leads nowhere', async () => {
    const { data } = await answerTo('{ ships { pilot { id name } } }')
    expect(data).toEqual({
      ships: [{ pilot: { id: 'ines', name: 'Inês' } }, null, { pilot: { id: 'nobody', name: null } }, { pilot: null }],
    })
  })

  it('has a field of the subgraph that has taken it over, which the other is not asked for', async () => {
    const { data, ranIn } = await answerTo('{ ship(id: "alba") { flag } }')
    expect([data, ranIn]).toEqual([{ ship: { flag: 'PT' } }, undefined])
  })

  it('has values of one type from each of them', async () => {
    const { data } = await answerTo('{ ship(id: "alba") { size { value unit } pilot { height { value unit } } } }')
    expect(data).toEqual({ ship: { size: { value: 9, unit: 'kt' }, pilot: { height: { value: 2, unit: 'm' } } } })
  })
})

describe('a subgraph', () => {
  it('is not asked for what another provides, but where that does not', async () => {
    const provided = await answerTo('{ berths { number pilot { id name } } }')
    expect(provided.data).toEqual({ berths: [{ number: 1, pilot: { id: 'ines', name: 'Inês' } }] })
    expect(asked).toBe(0)
    expect((await answerTo('{ ship(id: "alba") { pilot { name } } }')).data).toEqual({
      ship: { pilot: { name: 'Inês' } },
    })
    expect(asked).toBeGreaterThan(0)
  })

  it.each([
    ['query ($with: Boolean!) { ship(id: "alba") { id fee @include(if: $with) } }', { with: true }, { with: false }],
    [
      'query ($without: Boolean!) { ship(id: "alba") { id fee @skip(if: $without) } }',
      { without: false },
      { without: true },
    ],
    [
      'query ($with: Boolean!) { ship(id: "alba") { id ... @include(if: $with) { fee } } }',
      { with: true },
      { with: false },
    ],
  ])('is asked only where a variable says so: %s', async (source, wanted, unwanted) => {
    expect((await answerTo(source, unwanted)).data).toEqual({ ship: { id: 'alba' } })
    expect(asked).toBe(0)
    expect((await answerTo(source, wanted)).data).toEqual({ ship: { id: 'alba', fee: 700 } })
  })
})

describe('what may be of several types', () => {
  it('has the fields of each from the subgraph that knows it, in a union', async () => {
    const { data } = await answerTo('{ log { __typename ... on Ship { length fee } ... on Pilot { id name } } }')
    expect(data).toEqual({
      log: [
        { __typename: 'Pilot', id: 'ines', name: 'Inês' },
        { __typename: 'Ship', length: 100, fee: 700 },
        null,
        { __typename: 'Pilot', id: 'nobody', name: null },
      ],
    })
  })

  it('has them behind an interface too, and says its type beside an alias', async () => {
    const { data } = await answerTo(
      '{ thing(id: "alba") { kind: __typename id ... on Ship { fee pilot { of: __typename } } } }',
    )
    expect(data).toEqual({ thing: { kind: 'Ship', id: 'alba', fee: 700, pilot: { of: 'Pilot' } } })
  })

  it('is null where it is not there', async () => {
    expect((await answerTo('{ thing(id: "none") { id ... on Ship { fee } } }')).data).toEqual({ thing: null })
  })
})
