import {
  getNullableType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  type GraphQLCompositeType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from 'graphql'
import { collectFields } from '../../kernel/compiled/collect-fields.js'
import type { Source } from '../../kernel/compiled/execution.js'

/** In place of a value that may not be null and is: what is around it is null too. */
const INVALID: unique symbol = Symbol('invalid')

type Values = Readonly<Record<string, unknown>>

/** An operation whose fields may have other names than its client has given them. */
export interface AskedSource extends Source {
  /** The client's names of those that have. */
  clientNames: ReadonlyMap<string, string>
}

/** A field of the answer. */
interface ShapedField {
  /** By which subgraphs have answered it. */
  key: string
  /** By which it is answered to the client. */
  clientName: string
  /** Undefined of `__typename`. */
  shape: ((value: unknown) => unknown) | undefined
}

/** An object of the answer. */
interface ShapedObject {
  fields: readonly ShapedField[]
  /** An answer with all keys in their order: a copy of it has its final form from the beginning. */
  empty: Readonly<Record<string, null>>
  /** What it is for `__typename`; an interface has no objects. */
  typename: string | typeof INVALID
}

/**
 * What makes an answer of what subgraphs have answered: what was asked for, without what only the plan needed; null where a value is
 * not one of its type, and around it where it may not be null. A value that is null without an error is one that a subgraph was
 * right to leave out, as `@apollo/gateway` has it (`computeResponse`).
 * @param source the operation, with the values that `@skip` and `@include` ask for
 * @throws Error where a subgraph has answered a list with something else
 */
export function answerShaper(source: AskedSource, root: GraphQLObjectType): (data: Values) => Values | null {
  return objectShaper(source, root, [source.operation.selectionSet])
}

function valueShaper(
  source: AskedSource,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
): (value: unknown) => unknown {
  if (isNonNullType(type)) {
    const inner = valueShaper(source, getNullableType(type), sets)
    return (value) => inner(value) ?? INVALID
  }
  if (isListType(type)) return listShaper(valueShaper(source, type.ofType, sets))
  if (isLeafType(type)) {
    const isOfType = valueCheck(type)
    return (value) => (value != null && isOfType(value) ? value : null)
  }
  return objectShaper(source, type, sets)
}

function listShaper(shapeItem: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => {
    if (value == null) return null
    if (!Array.isArray(value)) throw new Error('a subgraph has answered a list with something else')
    const items = value.map(shapeItem)
    return items.includes(INVALID) ? null : items
  }
}

/**
 * An object has the type that its subgraph says it is of: none where clients are not told of that. It may be an interface, which is an object
 * to its subgraph (`@interfaceObject`): such an object has the interface's fields, and no name.
 * @param declared its type where its subgraph says nothing
 */
function objectShaper(
  source: AskedSource,
  declared: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): (value: unknown) => Values | null {
  const known = new Map<string, ShapedObject>()
  const shapedAs = (name: string): ShapedObject | undefined => {
    const found = known.get(name)
    if (found) return found
    const type = source.schema.getType(name)
    const made = isCompositeType(type) ? shapedObject(source, type, sets) : undefined
    if (made) known.set(name, made)
    return made
  }
  return (value) => {
    if (typeof value !== 'object' || value === null) return null
    const name = (value as Values)['__typename']
    const object = shapedAs(typeof name === 'string' ? name : declared.name)
    if (!object) return null
    const answer: Record<string, unknown> = { ...object.empty }
    for (const { key, clientName, shape } of object.fields) {
      const shaped = shape ? shape(own(value, key)) : object.typename
      if (shaped === INVALID) return null
      answer[clientName] = shaped
    }
    return answer
  }
}

function shapedObject(
  source: AskedSource,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): ShapedObject {
  const fields = shapedFields(source, type, sets)
  const empty = Object.fromEntries(fields.map(({ clientName }) => [clientName, null]))
  return { fields, empty, typename: isObjectType(type) ? type.name : INVALID }
}

function shapedFields(
  source: AskedSource,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): ShapedField[] {
  return [...collectFields(source, type, sets)].flatMap(([key, nodes]): ShapedField[] => {
    const name = nodes[0]?.name.value ?? ''
    const clientName = source.clientNames.get(key) ?? key
    if (name === '__typename') return [{ key, clientName, shape: undefined }]
    const field = isUnionType(type) ? undefined : type.getFields()[name]
    const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    return field ? [{ key, clientName, shape: valueShaper(source, field.type, below) }] : []
  })
}

/** By its key alone: what every object has from its prototype, functions all of them, is not what a subgraph has answered. */
export function own(value: object, key: string): unknown {
  const found = (value as Values)[key]
  return typeof found === 'function' && !Object.hasOwn(value, key) ? undefined : found
}

/**
 * What tells whether a subgraph may answer a value in a field of a type. Of the API an enum may have fewer values than a subgraph's;
 * a scalar of our own may be anything.
 */
function valueCheck(type: GraphQLLeafType): (value: unknown) => boolean {
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.getValues().map(({ name }) => name))
    return (value) => names.has(value)
  }
  switch (isSpecifiedScalarType(type) ? type.name : undefined) {
    case 'Boolean':
      return (value) => typeof value === 'boolean'
    case 'Int':
      return Number.isInteger
    case 'Float':
      return Number.isFinite
    case 'String':
      return (value) => typeof value === 'string'
    case 'ID':
      return (value) => typeof value === 'string' || Number.isInteger(value)
    default:
      return () => true
  }
}
