import type { GraphQLFormattedError } from 'graphql'
import { ERRORS, type ErrorCode } from '../../kernel/errors.js'
import { QUERY_LIMITS } from './query-limits.js'

/** A body that a GraphQL client understands, for what is refused before there is an operation. */
export interface GraphqlRefusal {
  errors: { message: string; extensions: { code: string } }[]
}

/** A refusal in GraphQL form. */
export function graphqlRefusal(code: string, message: string): GraphqlRefusal {
  return { errors: [{ message, extensions: { code } }] }
}

/** What could be a card's number: graphql-js quotes literals, names and tokens of the caller's document. */
const CARD_NUMBER = /\d(?:[ -]?\d){12,18}/g

/**
 * The last look at an error before it is sent: what Apollo could not name is `SERVER_ERROR` and tells nothing, and a document
 * that the parser gave up is too complex, not ill-formed. No message shows a card's number.
 */
export function formatError(formatted: GraphQLFormattedError): GraphQLFormattedError {
  const code = formatted.extensions?.['code']
  if (code === 'INTERNAL_SERVER_ERROR') {
    return { message: ERRORS.server_error.message, extensions: { code: 'SERVER_ERROR' } }
  }
  // graphql-js: `Document contains more that 2000 tokens. Parsing aborted.`
  if (code === 'GRAPHQL_PARSE_FAILED' && formatted.message.includes(`more that ${QUERY_LIMITS.tokens} tokens`)) {
    return {
      message: `The query is too complex: it has more than ${QUERY_LIMITS.tokens} tokens.`,
      extensions: { code: 'QUERY_TOO_COMPLEX' },
    }
  }
  return { ...formatted, message: formatted.message.replace(CARD_NUMBER, '[redacted]') }
}

/** What fastify refuses before Apollo sees it; undefined for what nobody foresaw. */
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
