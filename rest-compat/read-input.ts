import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLScalarType,
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

/** What is wrong with a parameter of the address that stands there twice. */
const IS_SENT_TWICE = 'must be sent once'

/** Reads a value of one type: `name` within what stands at the path `around`. */
type Read = (given: unknown, around: string, name: string, walk: Walk) => unknown

const readers = new WeakMap<GraphQLInputType, Read>()

/**
 * Reads one REST value against a GraphQL input type: snake_case becomes camelCase, enum words become enum names, and
 * every missing or wrong field is added to `failures` under its REST path. Fields that the type does not know are
 * ignored; null counts as absent unless it clears. Reading stops once as many are wrong as are listed.
 * @returns the value as far as it was good, undefined where nothing of it was
 */
export function readValue(type: GraphQLInputType, given: unknown, path: string, walk: Walk): unknown {
  return readerOf(type)(given, '', path, walk)
}

/** What reads a type is made once: a body would be asked for each of its values what that has to be. */
function readerOf(type: GraphQLInputType): Read {
  const known = readers.get(type)
  if (known) return known
  let made: Read | undefined
  // A type may hold itself, so what reads it is made when a value comes.
  const read: Read = (given, around, name, walk) => (made ??= makeReader(type))(given, around, name, walk)
  readers.set(type, read)
  return read
}

function makeReader(type: GraphQLInputType): Read {
  const isNeeded = type instanceof GraphQLNonNull
  const read = isNeeded ? readerOf(type.ofType as GraphQLInputType) : presentReader(type)
  return (given, around, name, walk) => {
    if (walk.failures.length >= FAILURES_MAX) return undefined
    if (given !== undefined && given !== null) return read(given, around, name, walk)
    if (isNeeded) return fail(walk, around, name, IS_REQUIRED)
    return given === null && walk.keepNulls ? null : undefined
  }
}

function presentReader(type: Exclude<GraphQLInputType, GraphQLNonNull<never>>): Read {
  if (type instanceof GraphQLList) return listReader(type.ofType as GraphQLInputType)
  if (type instanceof GraphQLInputObjectType) return objectReader(type)
  return type instanceof GraphQLEnumType ? enumReader(type) : scalarReader(type as GraphQLScalarType)
}

function objectReader(type: GraphQLInputObjectType): Read {
  const fields = Object.values(type.getFields()).map((field) => {
    return { key: field.name, restName: snakeCase(field.name), read: readerOf(restInputField(type, field).type) }
  })
  return (given, around, name, walk) => {
    if (!isObject(given)) return fail(walk, around, name, 'must be an object')
    const path = pathOf(around, name)
    const value: Record<string, unknown> = {}
    for (const { key, restName, read } of fields) {
      const sent = given[restName]
      // JSON has no functions: all that an object has from its prototype are.
      const known = read(typeof sent === 'function' ? undefined : sent, path, restName, walk)
      if (known !== undefined) value[key] = known
    }
    return value
  }
}

function listReader(itemType: GraphQLInputType): Read {
  const read = readerOf(itemType)
  return (given, around, name, walk) => {
    if (!Array.isArray(given)) return fail(walk, around, name, 'must be an array')
    const path = pathOf(around, name)
    const values: unknown[] = []
    for (const [index, item] of given.entries()) {
      if (walk.failures.length >= FAILURES_MAX) break
      values.push(read(item, path, String(index), walk))
    }
    return values
  }
}

function enumReader(type: GraphQLEnumType): Read {
  const words = restWords(type)
  const names = new Map<unknown, string>(
    words.map((word) => [word, OTHER_WORDS[type.name]?.[word] ?? word.toUpperCase()]),
  )
  const wrong = `must be one of ${words.join(', ')}`
  return (given, around, name, walk) =>
    names.get(given) ?? fail(walk, around, name, walk.form === 'text' && Array.isArray(given) ? IS_SENT_TWICE : wrong)
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

function scalarReader(type: GraphQLScalarType): Read {
  // GraphQL's ID takes numbers too; REST documents a string.
  const isId = type.name === 'ID'
  return (given, around, name, walk) => {
    if (walk.form === 'text' && Array.isArray(given)) return fail(walk, around, name, IS_SENT_TWICE)
    const value = walk.form === 'text' ? fromText(type, given) : given
    if (isId && typeof value !== 'string') return fail(walk, around, name, 'must be a string')
    const problem = invalidTextProblem(value)
    if (problem !== undefined) return fail(walk, around, name, problem)
    try {
      type.parseValue(value)
      return value
    } catch (error) {
      const message = SCALAR_WORDS[type.name] ?? (error as Error).message
      if (!(error instanceof RangeError) || !walk.outOfRange) return fail(walk, around, name, message)
      walk.outOfRange.push({ field: pathOf(around, name), message })
      return value
    }
  }
}

/** A query string's text as the JSON value that it stands for; text that stands for none stays, and is refused. */
function fromText(type: GraphQLScalarType, given: unknown): unknown {
  if ((type.name === 'Int' || type.name === 'Float') && typeof given === 'string' && /^-?\d+(\.\d+)?$/.test(given))
    return Number(given)
  if (type.name === 'Boolean' && (given === 'true' || given === 'false')) return given === 'true'
  return given
}

function fail(walk: Walk, around: string, name: string, message: string): undefined {
  walk.failures.push({ field: pathOf(around, name), message })
}

function pathOf(around: string, name: string): string {
  return around === '' ? name : `${around}.${name}`
}

/** `splitPaymentConfig` → `split_payment_config`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

/** A dotted path of GraphQL names in REST names; numbers, and what is snake case already, stay as they are. */
export function restPath(path: string): string {
  return path.split('.').map(snakeCase).join('.')
}
