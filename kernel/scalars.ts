import { GraphQLError, GraphQLScalarType, Kind, type GraphQLSchema, type ValueNode } from 'graphql'
import { HTTP_URL, isHttpUrl, urlLengthProblem } from './http-url.js'
import { amountDigitsProblem, isAmount } from './money.js'
import { percentText } from './percent.js'

/** How the text of a scalar is read, and written. */
interface TextForm {
  /** The text as it is kept; undefined for one that is bad. */
  parse: (text: string) => string | undefined
  /** The bound that a bad text breaks, where that is all that is wrong with it. */
  boundProblem?: (text: string) => string | undefined
  serialize?: (value: unknown) => string
}

/** A scalar whose wire form is a string that has to pass a test. */
function textScalar(
  name: string,
  description: string,
  { parse, boundProblem, serialize = String }: TextForm,
): GraphQLScalarType<string, string> {
  const read = (value: unknown, node?: ValueNode): string => {
    const text = typeof value === 'string' ? value : undefined
    const parsed = text === undefined ? undefined : parse(text)
    if (parsed === undefined) {
      const message = (text === undefined ? undefined : boundProblem?.(text)) ?? `must be ${description}`
      // With its node a literal's error says where it is in the document.
      const place = node && { nodes: node }
      throw new GraphQLError(message, { ...place, extensions: { code: 'BAD_USER_INPUT' } })
    }
    return parsed
  }
  return new GraphQLScalarType({
    name,
    description: `A string: ${description}.`,
    parseValue: (value) => read(value),
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined, node),
    serialize,
  })
}

/**
 * An exact decimal number as a string; never a binary float. Zeros in front say nothing, so no answer has them. What is kept as a
 * number, e.g. a percentage, is written as the decimal that it stands for.
 */
export const Decimal = textScalar('Decimal', 'a decimal number such as "10.50"', {
  parse: (text) => (isAmount(text) ? text.replace(/^0+(?=\d)/, '') : undefined),
  boundProblem: amountDigitsProblem,
  serialize: (value) => (typeof value === 'number' ? percentText(value) : String(value)),
})

/** An absolute http(s) URL. */
export const Url = textScalar('URL', HTTP_URL, {
  parse: (text) => (isHttpUrl(text) ? text : undefined),
  boundProblem: urlLengthProblem,
})

/**
 * What can stand before and behind the @ of an address without quotes (RFC 5322, 3.2.3, with letters of any script): an
 * address such as http://a:b@host.example is refused by every mail server, after it was taken here.
 */
const EMAIL = /^[^\s@<>"(),:;[\]\\]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

/** The longest address that SMTP carries (RFC 5321, 4.5.3.1.3). */
const EMAIL_LENGTH_MAX = 254

/** An e-mail address; trimmed, otherwise as sent. */
export const EmailAddress = textScalar('EmailAddress', 'an e-mail address', {
  parse: (text) => {
    const trimmed = text.trim()
    return trimmed.length <= EMAIL_LENGTH_MAX && EMAIL.test(trimmed) ? trimmed : undefined
  },
  boundProblem: (text) =>
    text.trim().length > EMAIL_LENGTH_MAX ? `must have at most ${EMAIL_LENGTH_MAX} characters` : undefined,
})

/** RFC 3339, section 5.6: a date and a time with seconds, and the offset from UTC. */
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i

/**
 * The same moment in UTC with milliseconds; undefined for another form, for a day that its month does not have, and outside the years 1 to
 * 9999 of UTC: PostgreSQL has no year 0, and ISO 8601 writes later ones otherwise.
 */
function momentOf(text: string): string | undefined {
  const day = RFC_3339.exec(text)?.[1]
  const at = new Date(text.toUpperCase())
  const year = at.getUTCFullYear()
  if (day === undefined || !(year >= 1 && year <= 9999)) return undefined
  // Date takes the 30th of February for the 2nd of March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? at.toISOString() : undefined
}

/** A point in time: ISO 8601, UTC, milliseconds. Rows that come as text from the database are written the same way. */
export const DateTime = textScalar(
  'DateTime',
  'a date and time of ISO 8601 with its zone (RFC 3339) such as "2026-01-31T09:30:00.000Z"; answers are in UTC',
  {
    parse: momentOf,
    serialize: (value) => (value instanceof Date ? value : new Date(String(value))).toISOString(),
  },
)

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
