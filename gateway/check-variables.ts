import { getOperationAST, getVariableValues, type GraphQLError, type GraphQLSchema } from 'graphql'
import { FAILURES_MAX } from '../kernel/errors.js'
import type { PreparedOperation } from './operation.js'

/** An object of more fields than any input of the schema has. */
const WIDE_FIELDS = 100

/**
 * What is wrong with the variables, as graphql-js tells it; of a wide object one error for each variable. graphql-js prints the
 * object that a wrong field is in with every error again: of one with 18,000 unknown fields, fifty errors took 1.5 s.
 * @returns undefined where they fit
 */
export function variableErrors(
  schema: GraphQLSchema,
  { document, operationName }: PreparedOperation,
  variables: Readonly<Record<string, unknown>>,
): readonly GraphQLError[] | undefined {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
  if (definitions.length === 0) return undefined
  if (!isWide(variables)) return getVariableValues(schema, definitions, variables, { maxErrors: FAILURES_MAX }).errors
  const errors: GraphQLError[] = []
  for (const definition of definitions) {
    const [first] = getVariableValues(schema, [definition], variables, { maxErrors: 1 }).errors ?? []
    if (first) errors.push(first)
    if (errors.length >= FAILURES_MAX) break
  }
  return errors.length > 0 ? errors : undefined
}

/** Whether an object of more fields than an input has is anywhere in a value, however deep. */
export function isWide(value: unknown): boolean {
  const open: unknown[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Object.values(next)
    if (!Array.isArray(next) && inner.length > WIDE_FIELDS) return true
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one)
  }
  return false
}
