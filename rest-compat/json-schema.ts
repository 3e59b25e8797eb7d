import {
  getNullableType,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  isEnumType,
  getNamedType,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql'
import { restInputField, restWords, snakeCase } from './read-input.js'

/** JSON Schema 2020-12, as far as these documents use it. */
export interface JsonSchema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  const?: unknown
  enum?: readonly unknown[]
  items?: JsonSchema
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  anyOf?: readonly JsonSchema[]
  /** OpenAPI's hint for generators of clients: which field tells the shapes of `anyOf` apart. */
  discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> }
  allOf?: readonly JsonSchema[]
  additionalProperties?: JsonSchema
  /** What a schema that stands alone refers to. */
  $defs?: Readonly<Record<string, JsonSchema>>
}

/** Gives a schema a name and returns what refers to it. */
export type DefineSchema = (name: string, schema: () => JsonSchema) => JsonSchema

/** `#/components/schemas/Order` → `Order`. */
export function referredName(reference: string): string {
  return reference.split('/').at(-1) ?? reference
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Decimal: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  DecimalNumber: { type: 'number' },
  EmailAddress: { type: 'string', format: 'email' },
  Float: { type: 'number' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  JSON: {},
  String: { type: 'string' },
  UnixSeconds: { type: 'number' },
  URL: { type: 'string', format: 'uri' },
}

/**
 * The JSON form of a GraphQL scalar.
 * @throws when a scalar has none here yet
 */
export function scalarSchema({ name }: GraphQLScalarType): JsonSchema {
  const schema = SCALARS[name]
  if (!schema) throw new Error(`the scalar ${name} has no JSON Schema`)
  return schema
}

/** The schema that also takes null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] }
  if (typeof schema.type !== 'string') return schema
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) }
}

/** The schema with a GraphQL description, in the words of REST. */
export function described(
  schema: JsonSchema,
  description: string | null | undefined,
  neighbours: readonly Neighbour[],
): JsonSchema {
  return description == null ? schema : { description: restText(description, neighbours), ...schema }
}

/**
 * What a GraphQL input type is in a REST body: snake case, enums in REST's words; what is optional may be null, which
 * counts as absent.
 */
export function inputSchema(type: GraphQLInputType, define: DefineSchema): JsonSchema {
  if (type instanceof GraphQLNonNull) return presentSchema(type.ofType as GraphQLInputType, define)
  return orNull(presentSchema(type, define))
}

function presentSchema(type: GraphQLInputType, define: DefineSchema): JsonSchema {
  if (type instanceof GraphQLList) return { type: 'array', items: inputSchema(type.ofType as GraphQLInputType, define) }
  if (type instanceof GraphQLInputObjectType) return define(type.name, () => inputObjectSchema(type, define))
  if (type instanceof GraphQLEnumType) return { type: 'string', enum: restWords(type) }
  if (type instanceof GraphQLScalarType) return scalarSchema(type)
  throw new Error(`${String(type)} is no input type`)
}

/** An input type's fields in REST names. */
export function inputObjectSchema(type: GraphQLInputObjectType, define: DefineSchema): JsonSchema {
  const fields = Object.values(type.getFields()).map((field) => restInputField(type, field))
  const required = fields.filter(isRequired).map(({ name }) => snakeCase(name))
  const properties = Object.fromEntries(
    fields.map((field) => [
      snakeCase(field.name),
      described(inputSchema(field.type, define), field.description, fields),
    ]),
  )
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return described(schema, type.description, fields)
}

/** Whether an input has to have the field. */
export function isRequired({ type, defaultValue }: Pick<GraphQLInputField, 'type' | 'defaultValue'>): boolean {
  return type instanceof GraphQLNonNull && defaultValue === undefined
}

/** A field or argument whose description may name its neighbours. */
interface Neighbour {
  type: unknown
}

/**
 * A GraphQL description in the words of REST: quoted camelCase names in snake case, and the values of the neighbours'
 * enums as REST writes them.
 */
export function restText(description: string, neighbours: readonly Neighbour[]): string {
  const words = new Map(
    neighbours
      .map(({ type }) => getNamedType(getNullableType(type as GraphQLInputType)))
      .filter(isEnumType)
      .flatMap((type) => {
        const inRest = restWords(type)
        return type.getValues().map(({ name }, index) => [name, inRest[index] ?? name] as const)
      }),
  )
  return description
    .replace(/\b[A-Z]+(?:_[A-Z]+)*\b/g, (word) => words.get(word) ?? word)
    .replace(/`([a-z]+(?:[A-Z][a-z]+)+)`/g, (_quoted, name: string) => `\`${snakeCase(name)}\``)
}
