import {
  getNullableType,
  GraphQLInputObjectType,
  GraphQLNonNull,
  Kind,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql'
import {
  inputObjectSchema,
  inputSchema,
  isRequired,
  restText,
  type DefineSchema,
  type JsonSchema,
} from './json-schema.js'
import type { RestOperation } from './operation.js'
import type { Example } from './examples.js'
import { snakeCase } from './read-input.js'
import type { Route } from './route.js'

/** A part of a request that is not its body. */
export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

/** What the path and the query of a request hold, as the properties of one object. */
export function parameterProperties(
  parameters: readonly OpenApiParameter[],
): Required<Pick<JsonSchema, 'properties' | 'required'>> {
  const own = parameters.filter((parameter) => parameter.in !== 'header')
  return {
    properties: Object.fromEntries(
      own.map(({ name, schema, description }) => [
        name,
        { ...(description !== undefined && { description }), ...schema },
      ]),
    ),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** What a route takes. */
export interface OpenApiRequest {
  parameters: readonly OpenApiParameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: JsonSchema; example?: unknown } } }
}

const IDEMPOTENCY_KEY: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Sent again with the same body within 24 hours, the first answer is given again and nothing happens twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/**
 * What a route takes: path and query from its documents' variables, the body from their `$input`.
 * @param documents one, or those of which the body decides
 * @param example values of its parameters, and a body
 */
export function requestOf(
  route: Route,
  documents: readonly RestOperation[],
  schema: GraphQLSchema,
  define: DefineSchema,
  { params = {}, body: example }: Example,
): OpenApiRequest {
  const writes = route.method !== 'GET'
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const variables = documents
    .flatMap((document) => variablesOf(document, schema, define, writes))
    .filter(({ name }) => !route.ignoresQuery || inPath.includes(name))
    .filter(({ name }) => !Object.values(route.widened ?? {}).some(({ by }) => by === name))
  const parameters = [...new Map(variables.map((variable) => [variable.name, variable])).values()].map(
    (variable): OpenApiParameter => ({
      ...variable,
      ...(inPath.includes(variable.name) ? { in: 'path', required: true } : { in: 'query' }),
      ...(variable.name in params && { example: params[variable.name] }),
    }),
  )
  const bodies = writes ? documents.flatMap((document) => bodyOf(document, route, define)) : []
  return {
    parameters: writes ? [...parameters, IDEMPOTENCY_KEY] : parameters,
    ...(bodies.length > 0 && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: bodies.length === 1 ? (bodies[0] ?? {}) : { anyOf: bodies },
            ...(example && { example }),
          },
        },
      },
    }),
  }
}

/** The variables of a document but for a body's; a query's `$input` is its fields. */
function variablesOf(
  document: RestOperation,
  schema: GraphQLSchema,
  define: DefineSchema,
  writes: boolean,
): Omit<OpenApiParameter, 'in'>[] {
  const args = argumentsOf(document, schema)
  return document.variables.flatMap(({ name, type }) => {
    const input = getNullableType(type)
    if (name !== 'input') return [parameter(name, type, args.get(name), [...args.values()], define)]
    if (writes || !(input instanceof GraphQLInputObjectType)) return []
    const fields = Object.values(input.getFields())
    return fields.map((field) => parameter(field.name, field.type, field, fields, define))
  })
}

type Described = Pick<GraphQLArgument, 'type' | 'defaultValue' | 'description'>

function parameter(
  name: string,
  type: GraphQLInputType,
  source: Described | undefined,
  neighbours: readonly Described[],
  define: DefineSchema,
): Omit<OpenApiParameter, 'in'> {
  return {
    name: snakeCase(name),
    required: isRequired({ type, defaultValue: source?.defaultValue }),
    ...(source?.description != null && { description: restText(source.description, neighbours) }),
    // A query string has no null: what is not there is absent.
    schema: inputSchema(new GraphQLNonNull(getNullableType(type)), define),
  }
}

/** The argument of the root field that each variable is given to. */
function argumentsOf({ document, kind }: RestOperation, schema: GraphQLSchema): Map<string, GraphQLArgument> {
  const root = kind === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  const found = new Map<string, GraphQLArgument>()
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    for (const field of definition.selectionSet.selections) {
      if (field.kind !== Kind.FIELD) continue
      const declared = root?.getFields()[field.name.value]?.args ?? []
      for (const { name, value } of field.arguments ?? []) {
        const argument = declared.find((candidate) => candidate.name === name.value)
        if (argument && value.kind === Kind.VARIABLE) found.set(value.name.value, argument)
      }
    }
  }
  return found
}

/** A document's body; with a route's aliases, either of two names will do. A field whose absence has a code is required. */
function bodyOf(document: RestOperation, { aliases, lists, badFields }: Route, define: DefineSchema): JsonSchema[] {
  const input = document.variables.find(({ name }) => name === 'input')
  const type = input && getNullableType(input.type)
  if (!(type instanceof GraphQLInputObjectType)) return []
  return [
    define(type.name, () => {
      const { required = [], ...schema } = withSingles(inputObjectSchema(type, define), lists ?? [])
      const needed = Object.keys(badFields ?? {}).filter((name) => !required.includes(name))
      return withAliases({ ...schema, required: [...required, ...needed] }, aliases ?? {})
    }),
  ]
}

/** Lists that may hold one value instead. */
function withSingles(schema: JsonSchema, lists: readonly string[]): JsonSchema {
  const { properties = {} } = schema
  const changed = lists.flatMap((name): [string, JsonSchema][] => {
    const { description, ...list } = properties[name] ?? {}
    const one = list.items
    return one ? [[name, { ...(description !== undefined && { description }), anyOf: [one, list] }]] : []
  })
  return { ...schema, properties: { ...properties, ...Object.fromEntries(changed) } }
}

function withAliases(schema: JsonSchema, aliases: NonNullable<Route['aliases']>): JsonSchema {
  const { properties = {}, required = [] } = schema
  // Of several bodies of a route one may not have the field.
  const other = Object.entries(aliases).filter(([, name]) => name in properties)
  const named = Object.fromEntries(
    other.map(([alias, name]): [string, JsonSchema] => [
      alias,
      { ...properties[name], description: `Another name of \`${name}\`.` },
    ]),
  )
  const aliased = required.filter((name) => other.some(([, original]) => original === name))
  if (other.length === 0) return schema
  return {
    ...schema,
    properties: { ...properties, ...named },
    required: required.filter((name) => !aliased.includes(name)),
    allOf: aliased.map((name) => ({
      anyOf: [name, ...other.filter(([, original]) => original === name).map(([alias]) => alias)].map((word) => ({
        properties: { [word]: {} },
        required: [word],
      })),
    })),
  }
}
