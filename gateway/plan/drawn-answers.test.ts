import { composeServices } from '@apollo/composition'
import { buildSubgraphSchema } from '@apollo/subgraph'
import {
  getOperationAST,
  GraphQLError,
  isAbstractType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  parse,
  print,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql'
import { expect, it } from 'vitest'
import { chance, pick, randomOf } from '../../chaos/random.js'
import type { Random } from '../../chaos/fault.js'
import { collectFields } from '../../kernel/compiled/collect-fields.js'
import type { Source } from '../../kernel/compiled/execution.js'
import { createLog } from '../../kernel/log.js'
import type { RequestContext, SubgraphExecutor, SubgraphResult } from '../../kernel/subgraph.js'
import { ending } from '../../test/harness/at-end.js'
import { testSettings } from '../../test/harness/env.js'
import { seenInAnyOrder } from '../../test/harness/seen-answer.js'
import { prepareOperation } from '../operation.js'
import { openSupergraph } from '../supergraph.js'
import { plannedOperation } from './planned-operation.js'

const CONTEXT: RequestContext = { requestId: 'request', caller: { tenantId: 'tenant', keyId: 'key', products: [] } }
const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@inaccessible", "@external", "@requires"])'

/** Ports know ships and pilots, crews add to both; of everything some may not be null. */
const SUBGRAPHS = {
  port: `
    type Query { ship(id: ID!): Ship ships: [Ship!] fleets: [[Ship!]!] log: [Entry] thing: Thing! flag: Flag! }
    interface Thing { id: ID! }
    union Entry = Ship | Pilot
    enum Flag { PT BR SECRET @inaccessible }
    type Ship implements Thing @key(fields: "id") { id: ID! length: Int! draught: Float flag: Flag pilot: Pilot! size: Measure }
    type Pilot @key(fields: "id", resolvable: false) { id: ID! }
    type Measure @shareable { value: Int! unit: String }`,
  crews: `
    type Query { pilots: [Pilot!]! }
    type Pilot @key(fields: "id") { id: ID! name: String! isOld: Boolean guides: [Ship!] height: Measure! }
    type Ship @key(fields: "id") { id: ID! length: Int! @external fee: Int! @requires(fields: "length") crew(first: Int): [Pilot]! }
    type Measure @shareable { value: Int! unit: String }`,
}

const DOCUMENTS = [
  '{ ships { id fee pilot { name } } }',
  '{ a: ship(id: "1") { size { value } pilot { height { unit value } guides { flag fee } } } b: ship(id: "2") { fee } }',
  '{ fleets { length crew { name isOld } } }',
  '{ log { __typename ... on Ship { fee } ... on Pilot { name guides { id } } } }',
  '{ thing { id ... on Ship { crew { height { value } } t: __typename } } flag ships { flag draught fee } }',
  '{ pilots { name guides { pilot { id name } draught } } ship(id: "1") { crew { id } } }',
  'query ($with: Boolean!, $id: ID = "3") { ship(id: $id) { fee @include(if: $with) ...More @skip(if: $with) } } fragment More on Ship { crew { name } size { unit } }',
  '{ ships { fee constructor: fee pilot { toString: name } ... on Ship { pilot { isOld name } } } }',
]

/** A subgraph that answers what is asked for with whatever is drawn: also null where that may not be, other types, and errors. */
function drawing(schema: GraphQLSchema, world: { seed: number }): SubgraphExecutor {
  return ({ document, variables = {} }) => {
    const operation = getOperationAST(document)
    const root = operation && schema.getRootType(operation.operation)
    if (!operation || !root) throw new Error('nothing is asked for')
    const fragments = Object.fromEntries(
      document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
    )
    const text =
      print(document) +
      JSON.stringify(
        Object.entries(variables)
          .map((one) => JSON.stringify(one))
          .toSorted(),
      )
    // Whoever asks the same is answered the same.
    const random = randomOf([...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, world.seed))
    if (chance(random, 0.03)) return Promise.resolve({ data: null, errors: [failure('GONE', [])] })
    const source = { schema, operation, fragments, flags: variables as Record<string, boolean> }
    return Promise.resolve(drawn(source, root, variables, random))
  }
}

function drawn(
  source: Source,
  root: GraphQLObjectType,
  { representations }: Record<string, unknown>,
  random: Random,
): SubgraphResult {
  const errors: GraphQLError[] = []
  const objectOf = (type: GraphQLObjectType, sets: readonly SelectionSetNode[], path: Path): Record<string, unknown> =>
    Object.fromEntries(
      [...collectFields(source, type, sets)].map(([key, nodes]) => {
        const name = nodes[0]?.name.value ?? ''
        if (name === '__typename') return [key, type.name]
        const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
        const value =
          name === '_entities'
            ? (representations as { __typename: string }[]).map(({ __typename }, index) =>
                valueOf(source.schema.getType(__typename) as GraphQLOutputType, below, [...path, key, index]),
              )
            : valueOf(type.getFields()[name]?.type as GraphQLOutputType, below, [...path, key])
        return [key, value]
      }),
    )
  const valueOf = (type: GraphQLOutputType, sets: readonly SelectionSetNode[], path: Path): unknown => {
    if (isNonNullType(type) && chance(random, 0.9)) return valueOf(type.ofType, sets, path)
    if (chance(random, 0.1)) {
      if (chance(random, 0.5)) errors.push(failure(chance(random, 0.5) ? 'WRONG' : undefined, path))
      return null
    }
    if (isNonNullType(type)) return valueOf(type.ofType, sets, path)
    if (isListType(type)) {
      return Array.from({ length: Math.floor(random() * 4) }, (_, index) =>
        valueOf(type.ofType, sets, [...path, index]),
      )
    }
    if (isLeafType(type)) return pick(random, isEnumType(type) ? ['PT', 'BR', 'SECRET'] : (VALUES[type.name] ?? ['1']))
    const object = isAbstractType(type) ? pick(random, source.schema.getPossibleTypes(type)) : type
    return objectOf(object as GraphQLObjectType, sets, path)
  }
  const data = objectOf(root, [source.operation.selectionSet], [])
  return { data, ...(errors.length > 0 && { errors }) }
}

type Path = readonly (string | number)[]

function failure(code: string | undefined, path: Path): GraphQLError {
  return new GraphQLError(`wrong at ${path.join('.')}`, { path, extensions: code === undefined ? {} : { code } })
}

/** One in some is of another type. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  ID: ['1', '2', '3'],
  String: ['one', 'two', 'three', 4],
  Int: [1, 2, 3, 4, '5', 6.5],
  Float: [1, 2.5, 3, 'four'],
  Boolean: [true, false, true, 'yes'],
}

const schemas = Object.fromEntries(
  Object.entries(SUBGRAPHS).map(([name, sdl]) => [name, buildSubgraphSchema(parse(`${LINK}\n${sdl}`))]),
)
const { supergraphSdl = '' } = composeServices(
  Object.entries(SUBGRAPHS).map(([name, sdl]) => ({ name, url: `http://${name}`, typeDefs: parse(`${LINK}\n${sdl}`) })),
)

/** No field of these documents has to be renamed for the planner. */
const clientNames = new Map<string, string>()

async function opened(world: { seed: number }) {
  const executors = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, drawing(schema, world)]))
  const graph = ending(openSupergraph({ supergraphSdl, schemas }, executors, createLog('silent')))
  return { graph, types: { apiSchema: graph.apiSchema, memberTypes: new Map<string, Set<string>>() } }
}

it('whatever subgraphs answer becomes what the gateway makes of it: nulls, errors, their places and codes', async () => {
  const world = { seed: testSettings.randomSeed }
  const { graph, types } = await opened(world)
  const operations = DOCUMENTS.map(prepareOperation)
  for (const operation of operations) {
    expect(plannedOperation({ operation, clientNames }, graph.plan(operation).queryPlan, types)).toBeDefined()
  }
  const last = world.seed + 200
  let [whole, failed] = [0, 0]
  for (; world.seed < last; world.seed += 1) {
    for (const operation of operations) {
      const variables = { with: pick(randomOf(world.seed), [true, false]) }
      const ours = await graph.execute(operation, variables, CONTEXT)
      const theirs = await graph.executeByGateway(operation, variables, CONTEXT)
      const told = `seed ${world.seed}: ${operation.source}`
      expect(`${told}\n${seenInAnyOrder(ours, false)}`).toBe(`${told}\n${seenInAnyOrder(theirs, false)}`)
      if (ours.errors) failed += 1
      else whole += 1
    }
  }
  expect(Math.min(whole, failed)).toBeGreaterThan(100)
})

it.each([
  'query ($representations: Int) { ships { crew(first: $representations) { name } } }',
  '{ __proto__: ships { fee } }',
])('is left to the gateway where a name of the client has a meaning of its own: %s', async (source) => {
  const { graph, types } = await opened({ seed: 1 })
  const operation = prepareOperation(source)
  expect(plannedOperation({ operation, clientNames }, graph.plan(operation).queryPlan, types)).toBeUndefined()
})

it('names what `@include` asks for where that is null, though it has a default', async () => {
  const { graph, types } = await opened({ seed: 1 })
  const operation = prepareOperation(
    'query ($with: Boolean = true) { ships { id } pilots @include(if: $with) { name } }',
  )
  const planned = plannedOperation({ operation, clientNames }, graph.plan(operation).queryPlan, types)
  const ask = (): Promise<never> => Promise.reject(new Error('asked'))
  const { data, errors } = await graph.execute(operation, { with: null }, CONTEXT)
  expect(data).toBeUndefined()
  expect(errors).toMatchObject([
    { message: expect.stringContaining('"$with" must not be null') as string, extensions: { code: 'BAD_USER_INPUT' } },
  ])
  expect(planned?.execute(ask, {}, CONTEXT)).toBeDefined()
  for (const variables of [{}, { with: false }]) {
    const ours = await graph.execute(operation, variables, CONTEXT)
    const theirs = await graph.executeByGateway(operation, variables, CONTEXT)
    expect(seenInAnyOrder(ours, false)).toBe(seenInAnyOrder(theirs, false))
  }
})

it('counts the fields of a fragment as often as it is spread', async () => {
  const { graph, types } = await opened({ seed: 1 })
  const fields = Array.from({ length: 20 }, (_, index) => `a${index}: length`).join(' ')
  const bytesOf = (spreads: number): number => {
    const ships = Array.from({ length: spreads }, (_, index) => `s${index}: ships { fee ...Many }`).join(' ')
    const operation = prepareOperation(`{ ${ships} } fragment Many on Ship { ${fields} }`)
    return plannedOperation({ operation, clientNames }, graph.plan(operation).queryPlan, types)?.bytes ?? 0
  }
  expect(bytesOf(50)).toBeGreaterThan(15 * bytesOf(1))
})
