import { describe, expect, it } from 'vitest'
import { prepareOperation } from '../operation.js'
import { composeTestGraph } from '../../test/harness/composed-graph.js'
import { alwaysAsked, withoutAdded } from './always-asked.js'

const box = () => ({ __typename: 'Box', a: 'x', inner: { a: 'y' } })
/** A keeper has boxes, and somebody else a lamp: what is asked of both takes the planner. */
const graph = await composeTestGraph({
  keeper: {
    sdl: `
      type Query { box: Box gone: Box sure: Box! boxes: [Box!]! either: Either }
      type Box { a: String inner: Box } type Jar { b: String } union Either = Box | Jar`,
    resolvers: { Query: { box, gone: () => null, sure: box, boxes: () => [box(), box()], either: box } },
  },
  other: { sdl: 'type Query { lamp: String }', resolvers: { Query: { lamp: () => 'on' } } },
})

const BOTH = { box: {}, lamp: 'on' }
const SURE = { sure: {}, lamp: 'on' }

describe('an object of which nothing is wanted is still there, or is not', () => {
  it.each<[string, Record<string, boolean>, unknown]>([
    ['query ($v: Boolean!) { box @include(if: $v) { a @skip(if: true) } lamp }', { v: true }, BOTH],
    ['query ($v: Boolean!) { box @include(if: $v) { a @skip(if: true) } lamp }', { v: false }, { lamp: 'on' }],
    [
      'query ($v: Boolean!) { gone @include(if: $v) { a @skip(if: true) } lamp }',
      { v: true },
      { gone: null, lamp: 'on' },
    ],
    ['query ($v: Boolean!) { sure @include(if: $v) { a @skip(if: true) } lamp }', { v: true }, SURE],
    [
      'query ($v: Boolean!, $t: Boolean!) { sure @include(if: $v) { a @skip(if: $t) } lamp }',
      { v: true, t: true },
      SURE,
    ],
    ['query ($v: Boolean!) { sure @include(if: $v) { inner @skip(if: true) { a } } lamp }', { v: true }, SURE],
    [
      'query ($v: Boolean!) { sure @include(if: $v) { ...F } lamp } fragment F on Box { a @skip(if: true) }',
      { v: true },
      SURE,
    ],
    [
      'query ($v: Boolean!) { sure @include(if: $v) { ...F @skip(if: true) } lamp } fragment F on Box { a }',
      { v: true },
      SURE,
    ],
    [
      'query ($v: Boolean!) { boxes @include(if: $v) { ... { a @skip(if: true) } } lamp }',
      { v: true },
      { boxes: [{}, {}], lamp: 'on' },
    ],
    [
      'query ($v: Boolean!) { either @include(if: $v) { ... on Box @skip(if: true) { a } } lamp }',
      { v: true },
      { either: {}, lamp: 'on' },
    ],
    [
      'query ($v: Boolean!) { box { a inner @include(if: $v) { a @skip(if: $v) } } lamp }',
      { v: true },
      { box: { a: 'x', inner: {} }, lamp: 'on' },
    ],
  ])('%s %o', async (source, variables, data) => {
    const { direct, planned } = await graph.bothWays(source, variables)
    expect(direct).toEqual(planned)
    expect(direct).toEqual({ data })
  })
})

describe('what is asked of the planner', () => {
  it('is what the client asks, where nothing can be empty', () => {
    const operation = prepareOperation('query ($v: Boolean!) { box { a inner @include(if: $v) { a } } lamp }')
    expect(alwaysAsked(operation)).toEqual({ operation, added: undefined })
  })

  it('reads each fragment once, however often it is spread', () => {
    const LEVELS = 40
    const fragments = Array.from(
      { length: LEVELS },
      (_, level) => `fragment F${level} on Box { ...F${level + 1} ...F${level + 1} }`,
    )
    const source = `{ box { ...F0 } } ${fragments.join(' ')} fragment F${LEVELS} on Box { a @skip(if: true) }`
    expect(alwaysAsked(prepareOperation(source)).added).toBeDefined()
  })
})

it('an answer is cut of what was added, at any depth and nowhere else', () => {
  const data = { added: 1, list: [{ added: 1, value: 2 }, null, [{ added: 1 }]], other: { kept: 'added' } }
  expect(withoutAdded({ data, errors: [] }, 'added')).toEqual({
    data: { list: [{ value: 2 }, null, [{}]], other: { kept: 'added' } },
    errors: [],
  })
})
