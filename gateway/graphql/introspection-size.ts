import {
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
  TypeMetaFieldDef,
  SchemaMetaFieldDef,
  type DocumentNode,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql'

/** The fields by which an operation reads the schema, by their names. */
export const SCHEMA_FIELDS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map([
  ['__schema', SchemaMetaFieldDef],
  ['__type', TypeMetaFieldDef],
])

const known = new WeakMap<GraphQLSchema, ReadonlyMap<string, number>>()

/** How long the lists are in which a schema tells of itself, by `Type.field`: the whole list of types, and of other lists the mean. */
export function introspectionLists(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const before = known.get(schema)
  if (before) return before
  const types = Object.values(schema.getTypeMap())
  const fields = types
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .map((type) => sizeOf(type.getFields()))
  const inputs = types.filter(isInputObjectType).map((type) => sizeOf(type.getFields()))
  const lists = new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', schema.getDirectives().length],
    ['__Type.fields', mean(fields)],
    ['__Type.inputFields', mean(inputs)],
    ['__Type.enumValues', mean(types.filter(isEnumType).map((type) => type.getValues().length))],
  ])
  known.set(schema, lists)
  return lists
}

/** What tools read of a schema at their start, all of it. */
export function standardIntrospection(): DocumentNode {
  const source = getIntrospectionQuery({
    inputValueDeprecation: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    oneOf: true,
    experimentalDirectiveDeprecation: true,
  })
  return parse(source, { noLocation: true })
}

function sizeOf(fields: object): number {
  return Object.keys(fields).length
}

function mean(sizes: readonly number[]): number {
  return Math.max(1, Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length)))
}
