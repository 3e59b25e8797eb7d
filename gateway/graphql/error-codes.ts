/**
 * The codes in `extensions.code` that are of GraphQL itself and not in `kernel/errors.ts`: what is refused before an operation
 * runs. HTTP is what a client is answered that accepts `application/graphql-response+json`.
 */
export const GRAPHQL_ERRORS = {
  UNAUTHENTICATED: { http: 403, when: 'No header `x-api-key` carries a valid key.' },
  RATE_LIMITED: { http: 429, when: 'The rate limit of the key is exceeded; `retry-after` says for how many seconds.' },
  BAD_REQUEST: {
    http: 400,
    when: 'The request holds no operation: its body is not JSON, or has no `query`; or it subscribes and does not accept `text/event-stream`; or `sha256Hash` is not that of its text.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    http: 200,
    when: 'The document of this hash is not known (any more): send it once more with its text.',
  },
  DOCUMENT_NOT_TRUSTED: {
    http: 400,
    when: 'Only trusted documents are run here (`TRUSTED_DOCUMENTS_FILE`, or in a session of the console), and this is none of them.',
  },
  GRAPHQL_PARSE_FAILED: { http: 400, when: 'The document has a syntax error.' },
  GRAPHQL_VALIDATION_FAILED: { http: 400, when: 'The document does not fit the schema.' },
  OPERATION_RESOLUTION_FAILURE: {
    http: 400,
    when: '`operationName` names no operation of the document, or is needed.',
  },
  QUERY_TOO_COMPLEX: { http: 400, when: 'The document is larger than the limits below.' },
  BAD_USER_INPUT: {
    http: 400,
    when: 'A variable or literal is not of its type; a secret stands in the document and not in a variable. Variables are named in `extensions.errors`.',
  },
} as const satisfies Record<string, { http: number; when: string }>
