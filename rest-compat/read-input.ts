import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql'
import { FAILURES_MAX, type FieldFailure } from '../kernel/errors.js'
import { invalidTextProblem } from '../kernel/invalid-text.js'
import { isObject } from '../kernel/json.js'
import { restField } from './rest-numbers.js'

/** Where a value comes from: JSON has types, a query string has only text. */
type Form = 'json' | 'text'

/** One walk over an input: where it is read from, and every failure found on the way. */
interface Walk {
  form: Form
  /** Whether null is a value of its own for what may be absent: it clears a field. Otherwise it counts as absent. */
  keepNulls?: boolean
  failures: FieldFailure[]
  /** What is wrong, in REST's words, with numbers for which the graph has no text; its rules refuse them in their turn. */
  outOfRange?: FieldFailure[]
}

/** Enums that REST writes in capitals too; all others are lower case there. */
const UPPER_CASE_ENUMS: ReadonlySet<string> = new Set(['DocumentType'])

/** Other words that a request may use for the values of an enum: word → value. Answers never have them. */
const OTHER_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  YieldProvider: { jupiter_lend: 'ALPHA_LEND', kamino: 'BETA' },
}

/** Fields that the contract asks for, though the graph can do without. */
const REQUIRED_IN_REST: ReadonlySet<string> = new Set(['CreateTransactionInput.payerEmail', 'TokenizeCardInput.type'])

/** A field as REST has it: as the graph has it, or required, or a number. */
export function restInputField(input: GraphQLInputObjectType, given: GraphQLInputField): GraphQLInputField {
  const field = restField(input.name, given)
  const isMore = REQUIRED_IN_REST.has(`${input.name}.${field.name}`) && !(field.type instanceof GraphQLNonNull)
  return isMore ? { ...field, type: new GraphQLNonNull(field.type) } : field
}

/** What is wrong with a field that is needed and absent. */
export const IS_REQUIRED = 'is required'

/**
 * Reads one REST value against a GraphQL input type: snake_case becomes camelCase, enum words become enum names, and
 * every missing or wrong field is added to `failures` under its REST path. Fields that the type does not know are
 * ignored; null counts as absent unless it clears. Reading stops once as many are wrong as are listed.
 * @returns the value as far as it was good, undefined where nothing of it was
 */
export function readValue(type: GraphQLInputType, given: unknown, path: string, walk: Walk): unknown {
  if (walk.failures.length >= FAILURES_MAX) return undefined
  if (type instanceof GraphQLNonNull) {
    if (given === undefined || given === null) return fail(walk, path, IS_REQUIRED)
    return readValue(type.ofType as GraphQLInputType, given, path, walk)
  }
  if (given === null && walk.keepNulls) return null
  if (given === undefined || given === null) return undefined
  if (type instanceof GraphQLList) return readList(type.ofType as GraphQLInputType, given, path, walk)
  if (type instanceof GraphQLInputObjectType) return readObject(type, given, path, walk)
  if (type instanceof GraphQLEnumType) return readEnum(type, given, path, walk)
  return type instanceof GraphQLScalarType ? readScalar(type, given, path, walk) : undefined
}

function readObject(
  type: GraphQLInputObjectType,
  given: unknown,
  path: string,
  walk: Walk,
): Record<string, unknown> | undefined {
  if (!isObject(given)) return fail(walk, path, 'must be an object')
  const value: Record<string, unknown> = {}
  for (const { field, type: fieldType, restName } of fieldsOf(type)) {
    const sent = Object.hasOwn(given, restName) ? given[restName] : undefined
    const read = readValue(fieldType, sent, path === '' ? restName : `${path}.${restName}`, walk)
    if (read !== undefined) value[field.name] = read
  }
  return value
}

interface RestField {
  field: GraphQLInputField
  type: GraphQLInputType
  restName: string
}

const fieldsByType = new WeakMap<GraphQLInputObjectType, readonly RestField[]>()

/** The fields of a type with their REST names, worked out once. */
function fieldsOf(type: GraphQLInputObjectType): readonly RestField[] {
  let fields = fieldsByType.get(type)
  if (!fields) {
    fields = Object.values(type.getFields()).map((field) => {
      return { field, type: restInputField(type, field).type, restName: snakeCase(field.name) }
    })
    fieldsByType.set(type, fields)
  }
  return fields
}

function readList(itemType: GraphQLInputType, given: unknown, path: string, walk: Walk): unknown[] | undefined {
  if (!Array.isArray(given)) return fail(walk, path, 'must be an array')
  const values: unknown[] = []
  for (const [index, item] of given.entries()) {
    if (walk.failures.length >= FAILURES_MAX) break
    values.push(readValue(itemType, item, `${path}.${index}`, walk))
  }
  return values
}

function readEnum(type: GraphQLEnumType, given: unknown, path: string, walk: Walk): string | undefined {
  const words = wordsOf(type)
  if (typeof given === 'string' && words.includes(given)) return OTHER_WORDS[type.name]?.[given] ?? given.toUpperCase()
  return fail(walk, path, `must be one of ${words.join(', ')}`)
}

const wordsByType = new WeakMap<GraphQLEnumType, readonly string[]>()

/** As `restWords`, worked out once. */
function wordsOf(type: GraphQLEnumType): readonly string[] {
  const words = wordsByType.get(type) ?? restWords(type)
  wordsByType.set(type, words)
  return words
}

/** The values of an enum as REST writes them in a request, each in its place, and after them other words for them. */
export function restWords(type: GraphQLEnumType): string[] {
  const upper = UPPER_CASE_ENUMS.has(type.name)
  const words = type.getValues().map(({ name }) => (upper ? name : name.toLowerCase()))
  return [...words, ...Object.keys(OTHER_WORDS[type.name] ?? {})]
}

/** What a value of the built-in scalars has to be, for people; ours say it themselves. */
const SCALAR_WORDS: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  Float: 'must be a number',
  ID: 'must be a string',
  Int: 'must be a whole number',
  String: 'must be a string',
}

function readScalar(type: GraphQLScalarType, given: unknown, path: string, walk: Walk): unknown {
  const value = walk.form === 'text' ? fromText(type, given) : given
  // GraphQL's ID takes numbers too; REST documents a string.
  if (type.name === 'ID' && typeof value !== 'string') return fail(walk, path, 'must be a string')
  const problem = invalidTextProblem(value)
  if (problem !== undefined) return fail(walk, path, problem)
  try {
    type.parseValue(value)
    return value
  } catch (error) {
    const message = SCALAR_WORDS[type.name] ?? (error as Error).message
    if (!(error instanceof RangeError) || !walk.outOfRange) return fail(walk, path, message)
    walk.outOfRange.push({ field: path, message })
    return value
  }
}

/** A query string's text as the JSON value that it stands for; text that stands for none stays, and is refused. */
function fromText(type: GraphQLScalarType, given: unknown): unknown {
  if ((type.name === 'Int' || type.name === 'Float') && typeof given === 'string' && /^-?\d+(\.\d+)?$/.test(given))
    return Number(given)
  if (type.name === 'Boolean' && (given === 'true' || given === 'false')) return given === 'true'
  return given
}

function fail(walk: Walk, field: string, message: string): undefined {
  walk.failures.push({ field, message })
}

/** `splitPaymentConfig` → `split_payment_config`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

/** A dotted path of GraphQL names in REST names; numbers, and what is snake case already, stay as they are. */
export function restPath(path: string): string {
  return path.split('.').map(snakeCase).join('.')
}
