import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import federation from '@apollo/federation-internals'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'
import { composeTestGraph } from '../../test/harness/composed-graph.js'
import { plannersFields } from './client-names.js'

const CHAPTERS = [{ pages: 10 }, { pages: 20 }, { pages: 30 }]
const EMMA = { id: 'e', title: 'Emma', weight: 2 }

/** A library knows books, with their chapters and prices; a press says what follows from these. */
const graph = await composeTestGraph({
  library: {
    sdl: `
      type Query { books: [Book] }
      type Book @key(fields: "id") {
        id: ID! title: String weight: Int torn: Int chapters(first: Int!): [Chapter] price(currency: String!): Int
      }
      type Chapter { number: Int pages: Int }`,
    resolvers: {
      Query: { books: () => [EMMA] },
      Book: {
        __resolveReference: ({ id }: { id: string }) => (id === EMMA.id ? EMMA : null),
        torn: () => Promise.reject(new Error('a page is missing')),
        chapters: (_book: unknown, { first }: { first: number }) =>
          CHAPTERS.map((chapter, index) => ({ number: index + 1, ...chapter })).slice(0, first),
        price: (_book: unknown, { currency }: { currency: string }) => (currency === 'EUR' ? 5 : 30),
      },
    },
  },
  press: {
    sdl: `
      type Book @key(fields: "id") {
        id: ID! rating: Int
        weight: Int @external chapters(first: Int!): [Chapter] @external price(currency: String!): Int @external
        postage: Int @requires(fields: """price(currency: "EUR") weight""")
        length: Int @requires(fields: "chapters(first: 3) { pages }")
      }
      type Chapter { pages: Int @external }`,
    resolvers: {
      Book: {
        rating: ({ id }: { id: string }) => (id === EMMA.id ? 4 : null),
        postage: ({ price, weight }: { price: number; weight: number }) => price * weight,
        length: ({ chapters }: { chapters: typeof CHAPTERS }) => chapters.reduce((sum, { pages }) => sum + pages, 0),
      },
    },
  },
})

describe('a client may call a field by the name of one that the planner asks for by itself', () => {
  it.each<[string, string, unknown]>([
    ['of a key', '{ books { id: title rating } }', { id: 'Emma', rating: 4 }],
    [
      'of a key, which it has by another',
      '{ books { id: title title: id rating } }',
      { id: 'Emma', title: 'e', rating: 4 },
    ],
    ['of what another field requires', '{ books { weight: title postage } }', { weight: 'Emma', postage: 10 }],
    ['of the type', '{ books { __typename: title rating } }', { __typename: 'Emma', rating: 4 }],
    ['for the type', '{ books { id: __typename rating } }', { id: 'Book', rating: 4 }],
    ['of a type, where it is of one', '{ books { ... on Book { id: rating } title } }', { id: 4, title: 'Emma' }],
  ])('%s', async (_about, source, book) => {
    const { direct } = await graph.bothWays(source)
    expect(direct).toEqual({ data: { books: [book] } })
  })

  it('and where its subgraph answers alone', async () => {
    const { direct, ranIn } = await graph.bothWays('{ books { id: title weight: id } }')
    expect([direct.data, ranIn]).toEqual([{ books: [{ id: 'Emma', weight: 'e' }] }, 'library'])
  })

  it('and finds an error under the name that it has given', async () => {
    const { direct } = await graph.bothWays('{ books { id: torn torn: rating } }')
    expect(direct.data).toEqual({ books: [{ id: null, torn: 4 }] })
    expect(direct.errors).toMatchObject([{ message: 'a page is missing', path: ['books', 0, 'id'] }])
  })
})

describe('a field that is required with arguments is asked for with others beside it', () => {
  it.each<[string, string, unknown]>([
    ['of a list', '{ books { length chapters(first: 1) { number } } }', { length: 60, chapters: [{ number: 1 }] }],
    ['of a value', '{ books { price(currency: "BRL") postage } }', { price: 30, postage: 10 }],
    ['with the same', '{ books { price(currency: "EUR") postage } }', { price: 5, postage: 10 }],
    [
      'by another name, and by its own',
      '{ books { local: price(currency: "BRL") price(currency: "USD") postage } }',
      { local: 30, price: 30, postage: 10 },
    ],
    [
      'given by a variable, in fragments that are one',
      `query ($first: Int! = 2) { books { ...Numbers length ...Pages } }
        fragment Numbers on Book { chapters(first: $first) { number } }
        fragment Pages on Book { chapters(first: $first) { pages } }`,
      {
        length: 60,
        chapters: [
          { number: 1, pages: 10 },
          { number: 2, pages: 20 },
        ],
      },
    ],
  ])('%s', async (_about, source, book) => {
    const { direct } = await graph.bothWays(source)
    expect(direct).toEqual({ data: { books: [book] } })
  })

  it('which no field of the product needs: the planner asks once for two that one type requires with different arguments', () => {
    const sdl = readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8')
    const { names, withArguments } = plannersFields(federation.Supergraph.build(sdl).schema)
    expect([...names]).toContain('orderCode')
    expect([...withArguments]).toEqual([])
  })
})
