import { buildSchema, getOperationAST, getVariableValues, GraphQLError, parse, type GraphQLSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../chaos/random.js'
import type { Random } from '../../test/harness/random-operation.js'
import { variablesReader } from './read-variables.js'

const schema = buildSchema(`
  type Query { a: Int }
  enum Color { RED GREEN }
  scalar Odd
  input Leaf { n: Int! = 3, text: String, color: Color, tags: [String!]! = ["x"], odd: Odd }
  input Tree { leaf: Leaf!, leaves: [Leaf], more: [[Int]], child: Tree, id: ID, ratio: Float, on: Boolean }
  input One @oneOf { a: Int, b: String }
`)
const odd = schema.getType('Odd') as { parseValue: (value: unknown) => unknown }
odd.parseValue = (value) => {
  if (value === 'nothing') return undefined
  if (value === 'refused') throw new GraphQLError('no such')
  if (value === 'broken') throw new Error('broken')
  return [value]
}

/** What may stand where anything may. */
const SCALARS = [0, 1, -7, 1.5, 2 ** 40, '', 'RED', 'GREEN', 'blue', '12', true, false, null, undefined]
const WORDS = ['nothing', 'refused', 'broken', 'fine']
const KEYS = ['n', 'text', 'color', 'tags', 'odd', 'leaf', 'leaves', 'more', 'child', 'id', 'ratio', 'on', 'a', 'b']
const STRANGE = ['unknown', 'constructor', '__proto__', 'toString']

/** One of some values, undefined among them. */
function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

/** A value that may be of any type; half of the objects have the fields of a tree or a leaf. */
function value(random: Random, depth: number): unknown {
  const kind = random()
  if (depth === 0 || kind < 0.35) return pick(random, [...SCALARS, ...WORDS])
  if (kind < 0.5) return Array.from({ length: Math.floor(random() * 3) }, () => value(random, depth - 1))
  const keys = KEYS.filter(() => random() < 0.25)
  if (random() < 0.5) keys.push('leaf', 'n')
  if (random() < 0.05) keys.push(pick(random, STRANGE))
  return Object.fromEntries(keys.map((key) => [key, fitting(random, key, depth - 1)]))
}

/** A value that mostly fits a field of this name. */
function fitting(random: Random, key: string, depth: number): unknown {
  if (random() < 0.1) return value(random, depth)
  const leaf = () => ({ n: pick(random, [1, 2]), ...(random() < 0.5 && { text: 'text', color: 'RED', odd: 'fine' }) })
  const FITTING: Readonly<Record<string, () => unknown>> = {
    ...{ n: () => 1, a: () => 1, text: () => 'text', b: () => 'text', color: () => 'RED', odd: () => 'fine' },
    ...{ tags: () => pick<unknown>(random, ['one', ['one', 'two'], []]), leaf, leaves: () => [leaf(), null, leaf()] },
    ...{ more: () => [[1, null], null, 2], id: () => pick<unknown>(random, ['id', 7]), ratio: () => 0.5 },
    ...{ on: () => true, child: () => (depth > 0 ? { leaf: leaf(), child: null } : null) },
  }
  return Object.hasOwn(FITTING, key) ? FITTING[key]?.() : 1
}

/** What is given for a variable: anything, or what one of the definitions takes. */
function givenTo(random: Random): unknown {
  if (random() < 0.4) return value(random, 4)
  const tree = () => fitting(random, 'child', 3)
  return pick<() => unknown>(random, [tree, () => [tree(), tree()], () => 1, () => 'RED', () => ({ b: 'text' })])()
}

interface Good {
  coerced: { v: { tags: string[] } }
}

const DEFINED = [
  'query ($v: Tree)',
  'query ($v: Tree!)',
  'query ($v: [Tree!]!)',
  'query ($v: [[Leaf]])',
  'query ($v: Leaf = { n: 5, tags: "one" })',
  'query ($v: One)',
  'query ($v: Int!, $w: [Color!] = [RED], $x: Odd)',
  'query ($v: Nothing, $w: Int)',
  'query ($v: Query)',
  'query ($__proto__: Int, $v: ID)',
  'query ($constructor: Int, $v: Boolean)',
]

function told(read: (given: Record<string, unknown>) => ReturnType<typeof getVariableValues>, given: object): string {
  const { coerced, errors } = read(given as Record<string, unknown>)
  const kinds = JSON.stringify(coerced, (_key, one: unknown) => (one === undefined ? 'undefined' : one))
  return JSON.stringify([kinds, coerced && Object.keys(coerced), errors])
}

function definitionsOf(source: string) {
  return getOperationAST(parse(`${source} { a }`), undefined)?.variableDefinitions ?? []
}

function stock(of: GraphQLSchema, source: string) {
  return (given: Record<string, unknown>) => getVariableValues(of, definitionsOf(source), given, { maxErrors: 50 })
}

describe('variables are read as graphql-js reads them', () => {
  it.each(DEFINED)('%s, with values of all kinds', (source) => {
    const read = variablesReader(schema)(definitionsOf(source)) as ReturnType<typeof stock>
    let good = 0
    for (let seed = 0; seed < 1_500; seed += 1) {
      const random = randomOf(seed)
      const names = ['v', 'w', 'x', 'constructor'].filter(() => random() < 0.8)
      const given = Object.fromEntries(names.map((name) => [name, givenTo(random)]))
      const expected = told(stock(schema, source), given)
      expect(`${JSON.stringify(given)}\n${told(read, given)}`).toBe(`${JSON.stringify(given)}\n${expected}`)
      if (expected.endsWith(',null]')) good += 1
    }
    // One definition names a type that is none, so nothing is ever good there.
    if (!/Nothing|Query\)/.test(source)) expect(good).toBeGreaterThan(20)
  })

  it('gives each run values of its own, also those that stand in the document', () => {
    const read = variablesReader(schema)(definitionsOf('query ($v: Leaf = { tags: ["a"] })'))
    const values = [read({}), read({})].map((given) => (given as Good).coerced.v)
    expect(values[0]).toEqual(values[1])
    expect(values[0]).not.toBe(values[1])
    expect(values[0]?.tags).not.toBe(values[1]?.tags)
  })
})
