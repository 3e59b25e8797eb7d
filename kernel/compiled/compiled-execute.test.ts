import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { buildSchema, execute, OperationTypeNode, parse, type ExecutionResult, type GraphQLSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../chaos/random.js'
import { testSettings } from '../../test/harness/env.js'
import { randomOperation } from '../../test/harness/random-operation.js'
import { randomSchema } from '../../test/harness/random-schema.js'
import { resolveByWorld, type World, type WorldContext } from '../../test/harness/random-world.js'
import { projectRoot } from '../root.js'
import { attachScalars } from '../scalars.js'
import { yieldingResolver } from '../yielding.js'
import { compiledExecute, type CompiledArgs } from './compiled-execute.js'

/** From which number on documents are drawn: the same one draws the same. */
const { randomSeed: SEED } = testSettings
const SCHEMAS = 42
const DOCUMENTS_PER_SCHEMA = 40
const DOCUMENTS_PER_SUBGRAPH = 300

const INPUTS = {
  Int: [0, 1, 'no number'],
  String: ['text', ''],
  DateTime: ['2026-01-01T00:00:00.000Z'],
  JSON: [{ a: [1] }],
}
const OUTPUTS = {
  ...{ Int: [0, 1], String: ['text', 7], Boolean: [true, false], ID: ['id', 1], Float: [1.5] },
  ...{ Odd: ['odd', 1], Decimal: ['1.50'], DateTime: [new Date(0)], JSON: [{ a: 1 }] },
  ...{ EmailAddress: ['ana@example.com'], URL: ['https://example.com/'] },
}

/** Variables that decide on fields: more sets of values than are kept plans for. */
const NAMES = Array.from({ length: 5 }, (_, index) => `on${index}`)
const FLAGS = Object.fromEntries(NAMES.map((name, index) => [name, index % 2 === 0]))

/** Some that no type takes. */
const WRONG_OUTPUTS = { ...OUTPUTS, Int: [0, 1, 2 ** 40], Odd: ['odd', 1, 'refused', 'nothing'] }

type Run = (args: CompiledArgs) => ExecutionResult | Promise<ExecutionResult>

/** Everything that an answer says, in its order, and who was called for it. */
async function seen(run: Run, args: Omit<CompiledArgs, 'contextValue'>, world: World): Promise<string> {
  const context: WorldContext = { world, calls: [] }
  const result = await run({ ...args, contextValue: context })
  return JSON.stringify({ result, calls: context.calls }, null, 1)
}

/** @returns how many answers had data, and how many errors */
async function expectAlike(
  schema: GraphQLSchema,
  { kind, count, seed, wrong }: { kind: OperationTypeNode; count: number; seed: number; wrong: number },
  fieldResolver?: () => CompiledArgs['fieldResolver'],
): Promise<{ answered: number; failed: number }> {
  const roots = Object.keys(schema.getRootType(kind)?.getFields() ?? {}).filter((name) => !name.startsWith('_'))
  const compiled = compiledExecute(schema)
  const stock: Run = (args) => execute({ schema, ...args })
  let [answered, failed] = [0, 0]
  for (let number = seed; number < seed + count; number += 1) {
    const { source, variables } = randomOperation({ schema, kind, roots, values: INPUTS }, randomOf(number))
    const args = { document: parse(source), variableValues: variables }
    const world = { schema, seed: number, scalars: wrong > 0 ? WRONG_OUTPUTS : OUTPUTS, wrong }
    const run = (how: Run): Promise<string> =>
      seen(how, { ...args, ...(fieldResolver && { fieldResolver: fieldResolver() }) }, world)
    const expected = await run(stock)
    // The second run is of what the first has kept.
    for (const time of ['first', 'second']) {
      const told = `seed ${number}, ${time} run\n${source}\n${JSON.stringify(variables)}`
      expect(`${told}\n${await run(compiled)}`).toBe(`${told}\n${expected}`)
    }
    const { result } = JSON.parse(expected) as { result: ExecutionResult }
    answered += result.data ? 1 : 0
    failed += result.errors ? 1 : 0
  }
  return { answered, failed }
}

describe('a compiled document is answered as graphql-js answers it: data, errors, places, order, calls', () => {
  const kinds = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION]

  it.each(kinds)('by schemas that are drawn, as a %s', { timeout: 240_000 }, async (kind) => {
    const sum = { answered: 0, failed: 0 }
    for (let number = 0; number < SCHEMAS; number += 1) {
      const schema = randomSchema(randomOf(SEED + number))
      const seed = SEED + number * DOCUMENTS_PER_SCHEMA
      // Where much is wrong little is answered; where nothing is, nobody looks at errors.
      const wrong = [0, 0.01, 0.05][number % 3] ?? 0
      const { answered, failed } = await expectAlike(schema, { kind, count: DOCUMENTS_PER_SCHEMA, seed, wrong })
      sum.answered += answered
      sum.failed += failed
    }
    const count = SCHEMAS * DOCUMENTS_PER_SCHEMA
    expect(sum.answered).toBeGreaterThan(count / 3)
    expect(sum.failed).toBeGreaterThan(count / 5)
  })

  const subgraphs = readdirSync(join(projectRoot, 'schema', 'subgraphs')).map((file) => file.replace('.graphql', ''))

  it.each(subgraphs)('by the schema of %s', { timeout: 240_000 }, async (name) => {
    const { answered, failed } = await expectAlike(ownSchema(name), {
      ...{ kind: OperationTypeNode.QUERY, count: DOCUMENTS_PER_SUBGRAPH, seed: SEED, wrong: 0.01 },
    })
    expect(answered).toBeGreaterThan(DOCUMENTS_PER_SUBGRAPH / 4)
    expect(failed).toBeGreaterThan(DOCUMENTS_PER_SUBGRAPH / 10)
  })

  it('with a resolver for the fields that have none, as large answers have', { timeout: 240_000 }, async () => {
    const drawn = { kind: OperationTypeNode.QUERY, count: DOCUMENTS_PER_SUBGRAPH, seed: SEED, wrong: 0.01 }
    const { answered } = await expectAlike(ownSchema('payments'), drawn, () =>
      yieldingResolver(() => Promise.resolve().then(() => undefined)),
    )
    expect(answered).toBeGreaterThan(DOCUMENTS_PER_SUBGRAPH / 4)
  })
})

function ownSchema(name: string): GraphQLSchema {
  const sdl = readFileSync(join(projectRoot, 'schema', 'subgraphs', `${name}.graphql`), 'utf8')
  const schema = buildSubgraphSchema(parse(sdl))
  attachScalars(schema)
  resolveByWorld(schema, (type, field) => type.name === 'Query' && !field.startsWith('_'))
  return schema
}

describe('what is not ordinary', () => {
  const schema = randomSchema(randomOf(SEED))
  const world = { schema, seed: SEED, scalars: OUTPUTS, wrong: 0 }
  const CASES: [string, string, Record<string, unknown>?, string?][] = [
    ['the schema itself', '{ __schema { queryType { name } } one { label } }'],
    ['a type', '{ __type(name: "A") { name fields { name } } }'],
    ['the type of an object and of the root', '{ __typename one { __typename kind: __typename } }'],
    ['a key that objects have by nature', '{ one { __proto__: label toString: label constructor: label } }'],
    ['a field that is not there', '{ one { nothing label } nowhere }'],
    ['the same key for two fields', '{ one { label label: __typename } }'],
    [
      'parts of one object at several places',
      '{ one { a: label } one { b: label ...F } } fragment F on A { c: label }',
    ],
    ['an unknown fragment', '{ one { ...Nowhere label } }'],
    ['a fragment on a type that is not there', '{ one { ... on Nothing { label } } }'],
    ['a fragment within itself', '{ one { ...F } } fragment F on A { label ...F }'],
    ['a flag that is not there', 'query ($on: Boolean!) { one @include(if: $on) { label } }'],
    ['a flag with a default', 'query ($on: Boolean = false) { one { label @include(if: $on) __typename } }'],
    ['a flag that is null', 'query ($on: Boolean) { one { label @skip(if: $on) } }', { on: null }],
    ['a flag without a value', '{ one { label @skip } }'],
    ['a flag that nobody declared', '{ one { label @skip(if: $on) } }'],
    ['a flag by the name of a property', 'query ($__proto__: Boolean!) { one { label @skip(if: $__proto__) } }'],
    ['no operation', 'fragment F on A { label }'],
    ['several operations', 'query One { one { label } } query Two { __typename }'],
    ['one of several', 'query One { one { label } } query Two { __typename }', {}, 'Two'],
    ['an operation that is not there', 'query One { one { label } }', {}, 'Three'],
    ['an operation without a name', 'query One { one { label } }', {}, ''],
    ['the same name twice', 'query One { one { label } } query One { __typename }', {}, 'One'],
    ['a subscription', 'subscription { one { label } }'],
    ['a variable of the wrong type', 'query ($n: Int!) { one { label } }', { n: 'no' }],
    ['many flags', `query (${flags('$', ': Boolean!')}) { one { ${flags('label @skip(if: $', ')')} } }`, FLAGS],
  ]

  it.each(CASES)('%s', async (_what, source, variables = {}, operationName) => {
    const args = {
      document: parse(source),
      variableValues: variables,
      ...(operationName !== undefined && { operationName }),
    }
    const compiled = compiledExecute(schema)
    const expected = await seen((given) => execute({ schema, ...given }), args, world)
    expect(await seen(compiled, args, world)).toBe(expected)
    expect(await seen(compiled, args, world)).toBe(expected)
  })

  it('a list that fails at once leaves no promise without a listener', async () => {
    const listed = buildSchema('type Query { items: [Int!] }')
    const items = listed.getQueryType()?.getFields()['items']
    if (items) items.resolve = () => [Promise.reject(new Error('late')), new Error('at once')]
    const result = await compiledExecute(listed)({ document: parse('{ items }') })
    expect(result).toMatchObject({ data: { items: null }, errors: [{ message: 'at once', path: ['items', 1] }] })
  })

  it('a field that flags leave out in one run is there in another', async () => {
    const document = parse('query ($on: Boolean!) { one { label @include(if: $on) __typename } }')
    const compiled = compiledExecute(schema)
    for (const on of [true, false, true]) {
      const args = { document, variableValues: { on } }
      expect(await seen(compiled, args, world)).toBe(await seen((given) => execute({ schema, ...given }), args, world))
    }
  })
})

function flags(before: string, after: string): string {
  return NAMES.map((name) => `${before}${name}${after}`).join(' ')
}
