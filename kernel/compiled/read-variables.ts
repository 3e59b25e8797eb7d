import {
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  valueFromAST,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type NamedTypeNode,
  type VariableDefinitionNode,
} from 'graphql'

/** As graphql-js has it. */
const ERRORS_MAX = 50

/** Stands for a value that is not plainly good. */
const DOUBTFUL = Symbol('doubtful')

/** Reads a value of a type, or finds it doubtful. */
type Read = (value: unknown) => unknown

/** The values of an operation's variables, or what is wrong with them. */
type Variables = { coerced: Record<string, unknown>; errors?: undefined } | { errors: readonly GraphQLError[] }

/**
 * Reads variables as graphql-js does, by readers that are made once for each type: it asks each type anew what it is, and notes
 * for each value where it is. What is not plainly good is left to graphql-js, which says what is wrong.
 */
export function variablesReader(
  schema: GraphQLSchema,
): (definitions: readonly VariableDefinitionNode[]) => (given: Readonly<Record<string, unknown>>) => Variables {
  const readers = new Map<GraphQLInputType, Read>()
  return (definitions) => {
    const variables = definitions.map((node) => variableOf(schema, node, readers))
    return (given) => {
      const coerced: Record<string, unknown> = {}
      for (const { name, read, standard } of variables) {
        if (Object.hasOwn(given, name)) coerced[name] = read(given[name])
        else if (standard) coerced[name] = standard()
        else if (read(undefined) === DOUBTFUL) coerced[name] = DOUBTFUL
        if (coerced[name] === DOUBTFUL) return byGraphql(schema, definitions, given)
      }
      return { coerced }
    }
  }
}

function byGraphql(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Readonly<Record<string, unknown>>,
): Variables {
  return getVariableValues(schema, definitions, given, { maxErrors: ERRORS_MAX }) as Variables
}

interface Variable {
  name: string
  read: Read
  /** Its value where none is given; made anew for each run. */
  standard: (() => unknown) | undefined
}

function variableOf(
  schema: GraphQLSchema,
  { variable, type: node, defaultValue }: VariableDefinitionNode,
  readers: Map<GraphQLInputType, Read>,
): Variable {
  const name = variable.name.value
  const type = typeFromAST(schema, node as NamedTypeNode)
  // A name that a plain object knows already, and a type that is none, are for graphql-js to look at.
  if (!isInputType(type) || name === '__proto__') return { name, read: () => DOUBTFUL, standard: () => DOUBTFUL }
  return { name, read: readerOf(type, readers), standard: defaultValue && (() => valueFromAST(defaultValue, type)) }
}

function readerOf(type: GraphQLInputType, readers: Map<GraphQLInputType, Read>): Read {
  const known = readers.get(type)
  if (known) return known
  let made: Read | undefined
  // A type may hold itself, so what reads it is made when a value comes.
  const read: Read = (value) => (made ??= makeReader(type, readers))(value)
  readers.set(type, read)
  return read
}

function makeReader(type: GraphQLInputType, readers: Map<GraphQLInputType, Read>): Read {
  if (isNonNullType(type)) {
    const read = readerOf(type.ofType, readers)
    return (value) => (value === null || value === undefined ? DOUBTFUL : read(value))
  }
  const read = isListType(type)
    ? listReader(readerOf(type.ofType as GraphQLInputType, readers))
    : isInputObjectType(type)
      ? objectReader(type, readers)
      : leafReader((value) => type.parseValue(value))
  return (value) => (value === null || value === undefined ? null : read(value))
}

function listReader(read: Read): Read {
  return (value) => {
    if (typeof value === 'object' && !Array.isArray(value) && Symbol.iterator in (value as object)) return DOUBTFUL
    // One value stands for a list of one.
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    const list: unknown[] = []
    for (const item of items) {
      const one = read(item)
      if (one === DOUBTFUL) return DOUBTFUL
      list.push(one)
    }
    return list
  }
}

function objectReader(type: GraphQLInputObjectType, readers: Map<GraphQLInputType, Read>): Read {
  const definitions = type.getFields()
  const fields = Object.values(definitions).map(({ name, type: ofField, defaultValue }) => ({
    ...{ name, defaultValue, read: readerOf(ofField, readers), isNeeded: isNonNullType(ofField) },
  }))
  return (value) => {
    if (typeof value !== 'object' || Array.isArray(value) || type.isOneOf) return DOUBTFUL
    const given = value as Record<string, unknown>
    const object: Record<string, unknown> = {}
    for (const { name, defaultValue, read, isNeeded } of fields) {
      const part = given[name]
      if (part !== undefined) {
        const known = read(part)
        if (known === DOUBTFUL) return DOUBTFUL
        object[name] = known
      } else if (defaultValue !== undefined) object[name] = defaultValue
      else if (isNeeded) return DOUBTFUL
    }
    for (const name of Object.keys(given)) if (!definitions[name]) return DOUBTFUL
    return object
  }
}

function leafReader(parse: Read): Read {
  return (value) => {
    try {
      const parsed = parse(value)
      return parsed === undefined ? DOUBTFUL : parsed
    } catch {
      return DOUBTFUL
    }
  }
}
