import { GraphQLError, GraphQLScalarType, Kind, type GraphQLSchema } from 'graphql'
import { isAmount } from './money.js'

/** A scalar whose wire form is a string that has to pass a test. */
function textScalar(
  name: string,
  description: string,
  parse: (text: string) => string | undefined,
): GraphQLScalarType<string, string> {
  const read = (value: unknown): string => {
    const parsed = typeof value === 'string' ? parse(value) : undefined
    if (parsed === undefined)
      throw new GraphQLError(`must be ${description}`, { extensions: { code: 'BAD_USER_INPUT' } })
    return parsed
  }
  return new GraphQLScalarType({
    name,
    description: `A string: ${description}.`,
    parseValue: read,
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
    serialize: (value) => String(value),
  })
}

/** An exact decimal number as a string; never a binary float. */
export const Decimal = textScalar('Decimal', 'a decimal number such as "10.50"', (text) =>
  isAmount(text) ? text : undefined,
)

/** An absolute http(s) URL. */
export const Url = textScalar('URL', 'an absolute http or https URL', (text) => {
  const url = text.length <= 2048 ? URL.parse(text) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? text : undefined
})

/** An e-mail address; trimmed, otherwise as sent. */
export const EmailAddress = textScalar('EmailAddress', 'an e-mail address', (text) => {
  const trimmed = text.trim()
  return trimmed.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(trimmed) ? trimmed : undefined
})

/** A point in time: ISO 8601, UTC, milliseconds. Rows that come as text from the database are written the same way. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A point in time as a string: ISO 8601 in UTC with milliseconds.',
  serialize: (value) => (value instanceof Date ? value : new Date(String(value))).toISOString(),
  parseValue: (value) => {
    const at = typeof value === 'string' ? new Date(value) : undefined
    if (!at || Number.isNaN(at.getTime())) throw new GraphQLError('must be an ISO 8601 date and time')
    return at.toISOString()
  },
})

/** Any JSON value; only for a processor's raw answer and a caller's own metadata. */
export const JsonValue = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: "Any JSON value: a processor's own answer, or metadata of the caller's.",
  serialize: (value) => value,
  parseValue: (value) => value,
})

/** Gives the scalars of a schema that was built from SDL their behaviour: SDL knows their names only. */
export function attachScalars(schema: GraphQLSchema): void {
  for (const scalar of [Decimal, Url, EmailAddress, DateTime, JsonValue]) {
    const { parseValue, parseLiteral, serialize } = scalar
    const type = schema.getType(scalar.name)
    if (type instanceof GraphQLScalarType) Object.assign(type, { parseValue, parseLiteral, serialize })
  }
}
