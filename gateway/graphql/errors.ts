import { HeaderMap } from '@apollo/server'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { ERRORS, type AppError, type ErrorCode, type FieldFailure } from '../../kernel/errors.js'
import type { AnswerCost } from './answer-cost.js'
import { QUERY_LIMITS } from './query-limits.js'
import { isAboutSecretLiteral } from './secret-literals.js'

/** A body that a GraphQL client understands, for what is refused before there is an operation. */
export interface GraphqlRefusal {
  errors: { message: string; extensions: { code: string } }[]
  extensions?: { cost: AnswerCost }
}

/** A refusal in GraphQL form. @param cost left out where no key is known that it could be counted against */
export function graphqlRefusal(code: string, message: string, cost?: AnswerCost): GraphqlRefusal {
  return { errors: [{ message, extensions: { code } }], ...(cost && { extensions: { cost } }) }
}

/** One of ours, of an operation that was not run, with its status over HTTP. */
export function refusalOf({ code, message, extensions }: AppError): GraphQLError {
  const { http: status } = ERRORS[code]
  const http: Record<string, unknown> = { status, headers: new HeaderMap(status === 429 ? [['retry-after', '1']] : []) }
  return new GraphQLError(message, { extensions: { ...extensions, http } })
}

/** What could be a card's number: graphql-js quotes literals, names and tokens of the caller's document. */
const CARD_NUMBER = /\d(?:[ -]?\d){12,18}/g

/** A name that is longer than any of ours: graphql-js echoes it whole, however long. */
const NAME_MAX_LENGTH = 64
const LONG_NAME = new RegExp(`[^\\s"'.]{${NAME_MAX_LENGTH + 1},}`, 'g')

/** What the parser did not expect, which may be any literal of the document. */
const UNEXPECTED_LITERAL = /(found (?:String|BlockString|Int|Float)) ".*"/s

/**
 * The sentence of graphql-js for a document with more tokens than we read, misspelt as it is there:
 * `Document contains more that 2000 tokens. Parsing aborted.`
 */
export function isAboutTokens(message: string): boolean {
  return message.includes(`contains more that ${QUERY_LIMITS.tokens} tokens`)
}

/**
 * The last look at an error before it is sent: what Apollo could not name is `SERVER_ERROR` and tells nothing, and a document
 * that the parser gave up is too complex, not ill-formed. No message shows a card's number.
 * @param error what was formatted
 */
export function formatError(formatted: GraphQLFormattedError, error?: unknown): GraphQLFormattedError {
  const code = formatted.extensions?.['code']
  if (isAboutSecretLiteral(error)) {
    return { ...formatted, extensions: { ...formatted.extensions, code: 'BAD_USER_INPUT' } }
  }
  if (code === 'INTERNAL_SERVER_ERROR') {
    return { message: ERRORS.server_error.message, extensions: { code: 'SERVER_ERROR' } }
  }
  if (code === 'GRAPHQL_PARSE_FAILED' && isAboutTokens(formatted.message)) {
    return {
      message: `The query is too complex: it has more than ${QUERY_LIMITS.tokens} tokens.`,
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    }
  }
  const message =
    code === 'GRAPHQL_PARSE_FAILED' ? formatted.message.replace(UNEXPECTED_LITERAL, '$1') : formatted.message
  const { errors } = (formatted.extensions ?? {}) as { errors?: readonly FieldFailure[] }
  return {
    ...formatted,
    message: safeText(message),
    ...(errors && { extensions: { ...formatted.extensions, errors: errors.map(safeFailure) } }),
  }
}

/** The caller's own words in a message: no card's number, and of a long name the beginning. */
function safeText(text: string): string {
  return text.replace(CARD_NUMBER, '[redacted]').replace(LONG_NAME, (name) => `${name.slice(0, NAME_MAX_LENGTH)}…`)
}

/** Even the name of a field that an input does not have is the caller's own text. */
function safeFailure({ field, message }: FieldFailure): FieldFailure {
  return { field: safeText(field), message: safeText(message) }
}

/** One of ours, of a request that has no operation yet. */
export function appRefusal({ code, message }: AppError): { http: number; body: GraphqlRefusal } {
  return { http: ERRORS[code].http, body: graphqlRefusal(code.toUpperCase(), message) }
}

/** What fastify refuses before Apollo sees it; undefined for what is unexpected. */
export function parserRefusal(error: {
  code?: string
  statusCode?: number
}): { http: number; body: GraphqlRefusal } | undefined {
  const known = (code: ErrorCode) => ({
    http: ERRORS[code].http,
    body: graphqlRefusal(code.toUpperCase(), ERRORS[code].message),
  })
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return known('payload_too_large')
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return known('unsupported_media_type')
  if (error.statusCode !== 400) return undefined
  return { http: 400, body: graphqlRefusal('BAD_REQUEST', 'The body must be JSON.') }
}
