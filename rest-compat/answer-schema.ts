import {
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  isAbstractType,
  isObjectType,
  Kind,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionNode,
} from 'graphql'
import { described, orNull, scalarSchema, type DefineSchema, type JsonSchema } from './json-schema.js'
import type { RestOperation } from './operation.js'
import { restField } from './rest-numbers.js'
import type { RecordRow, Route } from './route.js'

/**
 * What a route answers in `data`: the operation's selection set with the types behind it, and what the route's row
 * changes of it.
 */
export function answerSchema(
  schema: GraphQLSchema,
  operation: RestOperation,
  route: RowRules & Pick<Route, 'hidden'>,
  define: DefineSchema,
): JsonSchema {
  const { properties = {}, ...rest } = rootSchema({ schema, define, prefix: operation.operationName ?? '' }, operation)
  const shown = Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !route.hidden?.includes(name))
      .map(([name, property]) => [name, changed(route, name, property)]),
  )
  for (const name of Object.keys(route.insteadOf ?? {})) shown[name] ??= { type: 'string' }
  return {
    ...rest,
    properties: shown,
    required: Object.keys(shown).filter((name) => !route.absent?.includes(name)),
  }
}

type RowRules = Pick<Route, 'absent' | 'insteadOf' | 'keyed' | 'items'> & RecordRow

/** A field that is an empty text, left out, or replaced by a line where there is nothing is never null. */
function changed(
  { blank, absent, insteadOf, keyed, items, renamed, constants }: RowRules,
  name: string,
  given: JsonSchema,
): JsonSchema {
  const constant = constants?.[name]
  if (constant) return constant.schema
  const row = items?.[name]
  const property = withItems(withoutRenamed(given, renamed?.[name]), row)
  const key = keyed?.[name]
  if (key !== undefined) return keyedSchema(property, key)
  if (insteadOf && name in insteadOf) {
    const { description, ...shape } = notNull(property)
    return {
      ...(description !== undefined && { description }),
      anyOf: [...(shape.anyOf ?? [shape]), { type: 'string' }],
    }
  }
  return blank?.includes(name) || absent?.includes(name) ? notNull(property) : property
}

/** Values that are shown by another name are never in an answer. */
function withoutRenamed(property: JsonSchema, names: Readonly<Record<string, string>> | undefined): JsonSchema {
  if (!names || !property.enum) return property
  return { ...property, enum: property.enum.filter((value) => !Object.hasOwn(names, String(value))) }
}

/** A list, or one object, with what its row shows otherwise. */
function withItems(property: JsonSchema, row: RecordRow | undefined): JsonSchema {
  if (!row) return property
  return property.items ? { ...property, items: itemSchema(property.items, row) } : itemSchema(property, row)
}

function itemSchema(item: JsonSchema, row: RecordRow): JsonSchema {
  const properties = Object.entries(item.properties ?? {})
  return {
    ...item,
    properties: Object.fromEntries(properties.map(([name, field]) => [name, changed(row, name, field)])),
  }
}

/** A list of objects that is one object: each item under the value of its field `key`, without that field. */
function keyedSchema({ items, description }: JsonSchema, key: string): JsonSchema {
  const { properties = {}, required = [], ...item } = items ?? {}
  const { [key]: _, ...left } = properties
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    additionalProperties: { ...item, properties: left, required: required.filter((name) => name !== key) },
  }
}

/** Undoes `orNull`. */
function notNull(property: JsonSchema): JsonSchema {
  if (property.anyOf) {
    const left = property.anyOf.filter(({ type }) => type !== 'null')
    const { anyOf: _, ...rest } = property
    return left.length === 1 ? { ...rest, ...left[0] } : { ...rest, anyOf: left }
  }
  if (!Array.isArray(property.type)) return property
  const { type, format: _, pattern: __, ...rest } = property
  const [word] = (type as string[]).filter((name) => name !== 'null')
  // An empty text is no date, number or address.
  return word === undefined ? property : { ...rest, type: word }
}

/** What a walk over an answer knows: the schema, and how shapes that are told apart get names. */
interface Walk {
  schema: GraphQLSchema
  define: DefineSchema
  /** Before the names of shapes: answers select different fields of one type. */
  prefix: string
}

function rootSchema(walk: Walk, operation: RestOperation): JsonSchema {
  const { schema } = walk
  const root = operation.kind === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const definition = operation.document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  if (!root || definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${operation.name} has no root`)
  const answered = objectSchema(walk, root, definition.selectionSet.selections)
  const { properties } = operation.kind === 'mutation' ? notNull(answered.properties?.['payload'] ?? {}) : answered
  // The field's description is the operation's, not that of what it answers.
  const { description: _, ...data } = notNull(properties?.['data'] ?? {})
  return data
}

function outputSchema(walk: Walk, type: GraphQLOutputType, selections: readonly SelectionNode[]): JsonSchema {
  if (type instanceof GraphQLNonNull) return presentSchema(walk, type.ofType as GraphQLOutputType, selections)
  return orNull(presentSchema(walk, type, selections))
}

function presentSchema(walk: Walk, type: GraphQLOutputType, selections: readonly SelectionNode[]): JsonSchema {
  if (type instanceof GraphQLList)
    return { type: 'array', items: outputSchema(walk, type.ofType as GraphQLOutputType, selections) }
  if (type instanceof GraphQLEnumType)
    return { type: 'string', enum: type.getValues().map(({ name }) => name.toLowerCase()) }
  if (type instanceof GraphQLScalarType) return scalarSchema(type)
  if (isObjectType(type)) return objectSchema(walk, type, selections)
  if (isAbstractType(type)) {
    return unionSchema(walk, type, selections)
  }
  throw new Error(`${String(type)} is no output type`)
}

/** The field by which the shapes of a union are told apart, and its value in each. */
const TOLD_APART: Readonly<Record<string, { field: string; values: Readonly<Record<string, string>> }>> = {
  UnsignedTransaction: { field: 'family', values: { EvmTransaction: 'evm', SolanaTransaction: 'solana' } },
}

function unionSchema(walk: Walk, type: GraphQLAbstractType, selections: readonly SelectionNode[]): JsonSchema {
  const possible = walk.schema.getPossibleTypes(type)
  const rule = TOLD_APART[type.name]
  if (!rule) return { anyOf: possible.map((shape) => objectSchema(walk, shape, selections)) }
  const names = Object.entries(rule.values)
  if (possible.some(({ name }) => !(name in rule.values)))
    throw new Error(`${type.name} has a shape without a ${rule.field}`)
  return walk.define(`${walk.prefix}${type.name}`, () => {
    const anyOf = names.map(([name, value]) =>
      walk.define(`${walk.prefix}${name}`, () => shapeOf(walk, name, selections, { [rule.field]: { const: value } })),
    )
    const mapping = Object.fromEntries(names.map(([, value], index) => [value, anyOf[index]?.$ref ?? '']))
    return { anyOf, discriminator: { propertyName: rule.field, mapping } }
  })
}

/** One shape of a union. @param told the field that tells it apart */
function shapeOf(
  walk: Walk,
  name: string,
  selections: readonly SelectionNode[],
  told: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const type = walk.schema.getType(name)
  if (!isObjectType(type)) throw new Error(`${name} is no object type`)
  const object = objectSchema(walk, type, selections)
  return { ...object, properties: { ...object.properties, ...told } }
}

function objectSchema(walk: Walk, type: GraphQLObjectType, selections: readonly SelectionNode[]): JsonSchema {
  const selected = new Map<string, { field: string; selections: SelectionNode[] }>()
  collect(walk.schema, type, selections, selected)
  const neighbours = Object.values(type.getFields())
  const properties = Object.fromEntries(
    [...selected].map(([name, chosen]) => {
      // Where a constant stands, of which the row has the schema.
      if (chosen.field === '__typename') return [name, {}]
      const given = type.getFields()[chosen.field]
      if (!given) throw new Error(`${type.name} has no field ${chosen.field}`)
      const field = restField(type.name, given)
      return [name, described(outputSchema(walk, field.type, chosen.selections), field.description, neighbours)]
    }),
  )
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Gathers what is selected of one object type; fragments on other types leave it out. */
function collect(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
  into: Map<string, { field: string; selections: SelectionNode[] }>,
): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      const name = selection.alias?.value ?? selection.name.value
      const known = into.get(name)?.selections ?? []
      into.set(name, {
        field: selection.name.value,
        selections: [...known, ...(selection.selectionSet?.selections ?? [])],
      })
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (appliesTo(schema, selection.typeCondition?.name.value, type)) {
        collect(schema, type, selection.selectionSet.selections, into)
      }
    }
  }
}

function appliesTo(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}
