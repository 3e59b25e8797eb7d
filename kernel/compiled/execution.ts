import {
  locatedError,
  responsePathAsArray,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'

/** A place in an answer, linked to the one around it. Two places are the same where they are the same object. */
export type Place = GraphQLResolveInfo['path'] | undefined

/** What an operation's plan is made from, once. */
export interface Source {
  schema: GraphQLSchema
  operation: OperationDefinitionNode
  fragments: Record<string, FragmentDefinitionNode>
  /** The values of the variables that `@skip` and `@include` ask for. */
  flags: Readonly<Record<string, boolean>>
}

/** One run of a plan. */
export interface Run {
  contextValue: unknown
  rootValue: unknown
  variables: Record<string, unknown>
  /** Resolves the fields that have no resolver of their own; a read of the property where there is none. */
  fieldResolver: GraphQLFieldResolver<unknown, unknown> | undefined
  errors: GraphQLError[]
  /** The places that are null on account of an error. What happens later within them is not told. */
  nulled: Set<Place>
}

/** What all values of one selected field have in common. */
export interface SelectedField {
  key: string
  name: string
  nodes: readonly FieldNode[]
  parentType: GraphQLObjectType
  returnType: GraphQLOutputType
}

/**
 * Null for a value that failed, with its error noted.
 * @throws GraphQLError with its place, where the value may not be null: what is around it fails too
 */
export function failed(
  run: Run,
  raw: unknown,
  { nodes, isNonNull, place }: { nodes: readonly FieldNode[]; isNonNull: boolean; place: Place },
): null {
  const error = locatedError(raw, nodes, responsePathAsArray(place))
  if (isNonNull) throw error
  noteError(run, error, place)
  return null
}

/** Notes an error, unless something around it is null already. */
export function noteError(run: Run, error: GraphQLError, place: Place): void {
  for (let around = place; around !== undefined; around = around.prev) if (run.nulled.has(around)) return
  if (run.nulled.has(undefined)) return
  run.nulled.add(place)
  run.errors.push(error)
}

/** What graphql-js tells a resolver of its field. */
export function infoOf(
  { schema, fragments, operation }: Source,
  { rootValue, variables }: Run,
  { name, nodes, returnType, parentType }: SelectedField,
  path: NonNullable<Place>,
): GraphQLResolveInfo {
  return {
    ...{ fieldName: name, fieldNodes: nodes, returnType, parentType, path },
    ...{ schema, fragments, rootValue, operation, variableValues: variables },
  }
}
