import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  typeFromAST,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'

/** What a subgraph has otherwise than the API: names of types, and `Type.field` of fields. */
export type SchemaDifferences = ReadonlySet<string>

/**
 * What a subgraph has otherwise than the API schema: values, fields or arguments that the API hides or takes from fewer
 * subgraphs, other types of a field, and interfaces and unions of which other types are members. Fields that only one of the
 * two has are no difference: a document that asks for one is not valid in the other.
 */
export function schemaDifferences(subgraph: GraphQLSchema, api: GraphQLSchema): SchemaDifferences {
  const different = new Set<string>()
  for (const type of Object.values(subgraph.getTypeMap())) {
    const inApi = api.getType(type.name)
    if (!inApi || type.name.startsWith('__') || isSpecifiedScalarType(type)) continue
    if (isDifferentType(type, inApi, { subgraph, api })) different.add(type.name)
    for (const name of differentFields(type, inApi)) different.add(`${type.name}.${name}`)
  }
  addHoldersOf(different, subgraph)
  return different
}

interface Schemas {
  subgraph: GraphQLSchema
  api: GraphQLSchema
}

function isDifferentType(one: GraphQLNamedType, other: GraphQLNamedType, { subgraph, api }: Schemas): boolean {
  if (one.constructor.name !== other.constructor.name) return true
  if (isEnumType(one) && isEnumType(other)) return !isSame(namesOf(one.getValues()), namesOf(other.getValues()))
  if (isInputObjectType(one) && isInputObjectType(other)) {
    return !isSame(Object.values(one.getFields()).map(inputText), Object.values(other.getFields()).map(inputText))
  }
  if (isAbstractType(one) && isAbstractType(other)) {
    return !isSame(namesOf(subgraph.getPossibleTypes(one)), namesOf(api.getPossibleTypes(other)))
  }
  return false
}

/** The fields that both types have, otherwise. */
function differentFields(one: GraphQLNamedType, other: GraphQLNamedType): string[] {
  const hasFields = (type: GraphQLNamedType) => isObjectType(type) || isInterfaceType(type)
  if (!hasFields(one) || !hasFields(other)) return []
  const others = other.getFields()
  return Object.values(one.getFields())
    .filter((field) => others[field.name] && fieldText(field) !== fieldText(others[field.name] ?? field))
    .map(({ name }) => name)
}

/** An input that holds one which is different is different, too. */
function addHoldersOf(different: Set<string>, schema: GraphQLSchema): void {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType)
  let before: number
  do {
    before = different.size
    for (const input of inputs) {
      const held = Object.values(input.getFields()).map(({ type }) => getNamedType(type).name)
      if (held.some((name) => different.has(name))) different.add(input.name)
    }
  } while (different.size > before)
}

function fieldText({ type, args }: GraphQLField<unknown, unknown>): string {
  return `${String(type)} ${args.map(inputText).toSorted().join()}`
}

function inputText({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField): string {
  return `${name} ${String(type)} ${JSON.stringify(defaultValue)}`
}

function namesOf(named: readonly { name: string }[]): string[] {
  return named.map(({ name }) => name)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join()
}

/** Whether a document that is valid in a subgraph touches what the subgraph has otherwise than the API. */
export function touches(document: DocumentNode, subgraph: GraphQLSchema, different: SchemaDifferences): boolean {
  if (different.size === 0) return false
  const types = new TypeInfo(subgraph)
  let found = false
  const look = (...names: (string | undefined)[]): void => {
    found ||= names.some((name) => name !== undefined && different.has(name))
  }
  const named = (type: Parameters<typeof getNamedType>[0]): string | undefined => getNamedType(type)?.name
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: () => look(named(types.getType()), `${named(types.getParentType())}.${types.getFieldDef()?.name}`),
      Argument: () => look(named(types.getInputType())),
      InlineFragment: () => look(named(types.getType())),
      FragmentDefinition: () => look(named(types.getType())),
      VariableDefinition: (node) => look(named(typeFromAST(subgraph, node.type as never))),
    }),
  )
  return found
}
