import {
  Kind,
  parse,
  print,
  type ConstDirectiveNode,
  type EnumTypeDefinitionNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type TypeDefinitionNode,
} from 'graphql'

/** What a subgraph has of a field, as `@join__field` says it. */
export interface FieldOwner {
  subgraph: string
  /** It only names the field, to ask others for it. */
  isExternal: boolean
  /** What it needs of others to answer. */
  requires: string | undefined
  provides: string | undefined
}

/** What has a name within a type or a field. */
export interface NamedPart {
  name: string
  description: string
  /** Why it is not to be used any more. */
  deprecated: string | undefined
}

/** An argument of a field. */
export interface OwnedArgument extends NamedPart {
  /** Its name, type and default, as in SDL. */
  text: string
}

export interface OwnedField extends NamedPart {
  /** As in SDL. */
  type: string
  arguments: readonly OwnedArgument[]
  owners: readonly FieldOwner[]
  /** `@cost` and `@listSize`, as in SDL. */
  costs: readonly string[]
  /** Subgraphs have it, and clients do not see it. */
  isInaccessible: boolean
}

export interface EnumValue extends NamedPart {
  isInaccessible: boolean
}

/** By what a subgraph tells the type's objects apart. */
export interface EntityKey {
  subgraph: string
  fields: string
  /** Whether the subgraph answers for objects that another one has named. */
  isResolvable: boolean
}

export interface OwnedType {
  name: string
  kind: 'type' | 'input' | 'interface' | 'union' | 'enum' | 'scalar'
  description: string
  subgraphs: readonly string[]
  keys: readonly EntityKey[]
  fields: readonly OwnedField[]
  /** Of an enum. */
  values: readonly EnumValue[]
  /** The members of a union, the interfaces of a type. */
  names: readonly string[]
  isInaccessible: boolean
}

const KINDS: Readonly<Record<TypeDefinitionNode['kind'], OwnedType['kind']>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: 'type',
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: 'input',
  [Kind.INTERFACE_TYPE_DEFINITION]: 'interface',
  [Kind.UNION_TYPE_DEFINITION]: 'union',
  [Kind.ENUM_TYPE_DEFINITION]: 'enum',
  [Kind.SCALAR_TYPE_DEFINITION]: 'scalar',
}

/**
 * Reads who has what out of a composed supergraph (https://specs.apollo.dev/join/v0.5), in the order of their names.
 * @throws GraphQLError where it is no SDL
 */
export function readOwnership(supergraphSdl: string): OwnedType[] {
  const types = parse(supergraphSdl, { noLocation: true }).definitions.filter(isType)
  const subgraphs = subgraphNames(types)
  return types
    .filter(({ name }) => !/^(?:join|link)__/.test(name.value))
    .map((type) => ownedType(type, subgraphs))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

function isType(node: { kind: Kind }): node is TypeDefinitionNode {
  return node.kind in KINDS
}

/** By the names of the enum `join__Graph`, which are in capitals. */
function subgraphNames(types: readonly TypeDefinitionNode[]): ReadonlyMap<string, string> {
  const graphs = types.find((type): type is EnumTypeDefinitionNode => type.name.value === 'join__Graph')
  return new Map(
    graphs?.values?.map(({ name, directives = [] }) => [
      name.value,
      textOf(named(directives, 'join__graph')[0], 'name') ?? name.value,
    ]),
  )
}

function ownedType(type: TypeDefinitionNode, subgraphs: ReadonlyMap<string, string>): OwnedType {
  const joined = named(type.directives, 'join__type')
  const subgraphOf = (directive: ConstDirectiveNode): string => {
    const graph = textOf(directive, 'graph') ?? ''
    return subgraphs.get(graph) ?? graph
  }
  const having = [...new Set(joined.map(subgraphOf))]
  const fields = 'fields' in type ? (type.fields ?? []) : []
  return {
    name: type.name.value,
    kind: KINDS[type.kind],
    description: type.description?.value ?? '',
    subgraphs: having,
    keys: joined.flatMap((directive) => {
      const key = textOf(directive, 'key')
      const isResolvable = textOf(directive, 'resolvable') !== 'false'
      return key === undefined ? [] : [{ subgraph: subgraphOf(directive), fields: key, isResolvable }]
    }),
    fields: fields.map((field) => ownedField(field, { having, subgraphOf })),
    values: type.kind === Kind.ENUM_TYPE_DEFINITION ? (type.values ?? []).map(enumValue) : [],
    names: namesIn(type),
    isInaccessible: named(type.directives, 'inaccessible').length > 0,
  }
}

function namesIn(type: TypeDefinitionNode): string[] {
  if (type.kind === Kind.UNION_TYPE_DEFINITION) return (type.types ?? []).map(({ name }) => name.value)
  return 'interfaces' in type ? (type.interfaces ?? []).map(({ name }) => name.value) : []
}

/** A field without `@join__field` is in every subgraph that has its type. */
function ownedField(
  field: FieldDefinitionNode | InputValueDefinitionNode,
  type: { having: readonly string[]; subgraphOf: (directive: ConstDirectiveNode) => string },
): OwnedField {
  const joined = named(field.directives, 'join__field').filter((directive) => textOf(directive, 'graph') !== undefined)
  const owners =
    joined.length > 0
      ? joined.map((directive) => ({
          subgraph: type.subgraphOf(directive),
          isExternal: textOf(directive, 'external') === 'true',
          requires: textOf(directive, 'requires'),
          provides: textOf(directive, 'provides'),
        }))
      : type.having.map((subgraph) => ({ subgraph, isExternal: false, requires: undefined, provides: undefined }))
  const costs = [...named(field.directives, 'cost'), ...named(field.directives, 'listSize')]
  return {
    ...namedPart(field),
    type: print(field.type),
    arguments: 'arguments' in field ? (field.arguments ?? []).map(ownedArgument) : [],
    owners,
    costs: costs.map((directive) => print(directive)),
    isInaccessible: named(field.directives, 'inaccessible').length > 0,
  }
}

function ownedArgument(node: InputValueDefinitionNode): OwnedArgument {
  const { name, type, defaultValue } = node
  return {
    ...namedPart(node),
    text: `${name.value}: ${print(type)}${defaultValue ? ` = ${print(defaultValue)}` : ''}`,
  }
}

function enumValue(node: EnumValueDefinitionNode): EnumValue {
  return { ...namedPart(node), isInaccessible: named(node.directives, 'inaccessible').length > 0 }
}

function namedPart({
  name,
  description,
  directives,
}: FieldDefinitionNode | InputValueDefinitionNode | EnumValueDefinitionNode): NamedPart {
  const [deprecated] = named(directives, 'deprecated')
  return {
    name: name.value,
    description: description?.value ?? '',
    deprecated: deprecated && (textOf(deprecated, 'reason') ?? 'No longer supported'),
  }
}

function named(directives: readonly ConstDirectiveNode[] = [], name: string): ConstDirectiveNode[] {
  return directives.filter((directive) => directive.name.value === name)
}

/** What a directive says of an argument, as text; undefined where it says nothing. */
function textOf(directive: ConstDirectiveNode | undefined, name: string): string | undefined {
  const value = directive?.arguments?.find((argument) => argument.name.value === name)?.value
  return value && ('value' in value ? String(value.value) : print(value))
}
