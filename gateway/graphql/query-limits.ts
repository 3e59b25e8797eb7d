import { GraphQLError } from 'graphql'
import type { QueryMeasure } from './measure-query.js'

/** What one query may ask for. */
export const QUERY_LIMITS = {
  /** Words and signs of a document; the longest of our own has a tenth. It bounds what validation costs. */
  tokens: 2000,
  /** The same field in one place: between one pair of braces, inline fragments included. Long documents only. */
  repeats: 20,
  /** Fields within fields. */
  depth: 15,
  /** With fragments written out. */
  aliases: 100,
  /** With fragments written out: what planning takes, whatever is left out of the answer. */
  fields: 20_000,
  /** Each `@skip` and `@include` as often as such stand around it, itself included; of 26,000 one plan took ten seconds. */
  conditions: 200,
  /** Operations on the product in one request. */
  rootFields: 20,
  /** Objects that an answer can have: a page of 100 payments with everything around them has three quarters of it, most
   * of them places in their histories. */
  cost: 20_000,
} as const

/** Refuses a query that is larger than the limits. Throws a GraphQLError with code `QUERY_TOO_COMPLEX`. */
export function checkLimits(measured: QueryMeasure): void {
  const problem = limitProblem(measured)
  if (problem) throw problem
}

/** The refusal of a query that is larger than the limits; undefined of one that is not. */
export function limitProblem({
  depth,
  aliases,
  conditions,
  fields,
  cost,
  rootKeys,
}: QueryMeasure): GraphQLError | undefined {
  const sizes = { depth, aliases, conditions, fields, rootFields: rootKeys.size, cost }
  for (const [name, size] of Object.entries(sizes) as [keyof typeof sizes, number][]) {
    const limit = QUERY_LIMITS[name]
    if (size > limit) return queryTooComplex(`The query is too complex: ${WORDS[name]} ${size}, the limit is ${limit}.`)
  }
  return undefined
}

const WORDS = {
  depth: 'its depth is',
  aliases: 'the number of its aliases is',
  conditions: 'the number of its @skip and @include, each as often as such stand around it, is',
  fields: 'the number of its fields is',
  rootFields: 'the number of its root fields is',
  cost: 'the number of objects it may answer is',
} as const

/** The refusal of a query that is too large, as a 400. */
function queryTooComplex(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX', http: { status: 400 } } })
}
