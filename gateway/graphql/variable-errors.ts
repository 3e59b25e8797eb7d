import {
  coerceInputValue,
  GraphQLError,
  isInputType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type NamedTypeNode,
  type OperationDefinitionNode,
} from 'graphql'

/** As many as graphql-js tells of. */
const PLACES_MAX = 50

/**
 * The errors of variables, without the values: graphql-js prints them, and they may hold a card's number. There is one for
 * each place in the variables whose value is wrong. Other errors are given back as they are.
 */
export function withoutValues(
  errors: readonly GraphQLError[],
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): GraphQLError[] {
  const told = new Set<string>()
  return errors.flatMap((error) => {
    const name = /^Variable "\$(\w+)" got invalid value /.exec(error.message)?.[1]
    const definition = variableDefinitions.find(({ variable }) => variable.name.value === name)
    const type = definition && typeFromAST(schema, definition.type as NamedTypeNode)
    if (name === undefined || !isInputType(type)) return [error]
    // graphql-js has an error for each place already; the first one of a variable is replaced by those of all its places.
    if (told.has(name)) return []
    told.add(name)
    return placesOf(name, variables[name], type).map(
      (place) =>
        new GraphQLError(`Variable "$${name}" got an invalid value ${place}`, { extensions: error.extensions }),
    )
  })
}

/** Where a value does not fit its type, and why. */
function placesOf(name: string, value: unknown, type: GraphQLInputType): string[] {
  const places: string[] = []
  coerceInputValue(value, type, (path, _value, { message }) => {
    if (places.length < PLACES_MAX) places.push(`at "${[name, ...path].join('.')}": ${reasonOf(message)}`)
  })
  return places
}

/** The reason without the value that graphql-js quotes in it. */
function reasonOf(message: string): string {
  return message
    .replace(/^(\w+ cannot represent .*?value): .*$/s, '$1.')
    .replace(/^Value ".*" does not exist/s, 'The value does not exist')
    .replace(/^(Enum "\w+" cannot represent non-string value): .*$/s, '$1.')
}
