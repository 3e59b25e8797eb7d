import type { IncomingHttpHeaders } from 'node:http'
import { getOperationAST, GraphQLError, parse } from 'graphql'
import type { Clock } from '../../kernel/clock.js'
import { AppError } from '../../kernel/errors.js'
import { invalidTextError } from '../../kernel/invalid-text-error.js'
import type { Logger } from '../../kernel/log.js'
import { IDEMPOTENCY_FINGERPRINT, IDEMPOTENCY_KEY, REQUEST_ID, TENANT_CONTEXT } from '../../kernel/subgraph-http.js'

import { signCaller, type Caller, type IdempotencyRequest } from '../../kernel/tenant.js'
import type { Authentication, AuthenticationVerdict } from '../authentication/authenticate.js'
import { rateRefusal, unknownKeyRefusal } from '../authentication/hook.js'
import { appRefusal, graphqlRefusal } from '../graphql/errors.js'
import { fragmentsOf } from '../graphql/measuring.js'
import { QUERY_LIMITS } from '../graphql/query-limits.js'
import { rootKeysOf } from '../graphql/root-keys.js'
import { hashOf } from '../operation.js'
import { idempotencyKeysOf, requestContext } from '../request.js'

/** What subgraphs trust, and nobody but us may say. What a client sends under these names is never passed on. */
export const SIGNED_HEADERS = [TENANT_CONTEXT, REQUEST_ID, IDEMPOTENCY_KEY, IDEMPOTENCY_FINGERPRINT] as const
export type SignedHeaders = Partial<Record<(typeof SIGNED_HEADERS)[number], string>>

/** What signing takes. */
export interface AuthorizerDeps {
  authentication: Authentication
  clock: Clock
  log: Logger
  /** The deployment's keys, 32 bytes each: the subgraphs' processes derive the same from `MASTER_KEY`. */
  callerKey: Buffer
  fingerprintKey: Buffer
  limitPerMinute: number
  /** Where refusals send people to. */
  docs: string
}

/** A client's request, as far as a router tells of it. */
export interface RoutedRequest {
  rawHeaders: readonly string[]
  headers: IncomingHttpHeaders
  address: string
  requestId: string
  /** The GraphQL request, parsed; needed where the client sent an `Idempotency-Key`. */
  body: unknown
}

/** What a router has to do: pass the request on with the signed headers, or answer it. `shown` is for the client either way. */
export type Authorization = { shown: Record<string, string> } & (
  { kind: 'signed'; signed: SignedHeaders } | { kind: 'refused'; status: number; body: object }
)

/**
 * Decides about a client's request for a router of another make, as our own gateway decides: by the key, and its rate. The
 * signed headers are good for 60 seconds, and for this request alone where it has an `Idempotency-Key`.
 */
export async function authorize(deps: AuthorizerDeps, request: RoutedRequest): Promise<Authorization> {
  const verdict = await deps.authentication.check(request.rawHeaders, request.address)
  if (verdict.kind !== 'ok') return refusalOf(deps, request, verdict)
  const shown = { ...verdict.headers, [REQUEST_ID]: request.requestId }
  try {
    return { kind: 'signed', shown, signed: signedHeaders(deps, request, verdict.caller) }
  } catch (error) {
    if (error instanceof AppError) return { kind: 'refused', shown, ...answerOf(error) }
    if (!(error instanceof GraphQLError)) throw error
    const code = String(error.extensions['code'] ?? 'GRAPHQL_PARSE_FAILED')
    return { kind: 'refused', shown, status: 400, body: graphqlRefusal(code, error.message) }
  }
}

function signedHeaders(deps: AuthorizerDeps, request: RoutedRequest, caller: Caller): SignedHeaders {
  const idempotency = idempotencyOf(deps, request, caller)
  return {
    [TENANT_CONTEXT]: signCaller(caller, deps.callerKey, deps.clock),
    [REQUEST_ID]: request.requestId,
    ...(idempotency && { [IDEMPOTENCY_KEY]: idempotency.key, [IDEMPOTENCY_FINGERPRINT]: idempotency.fingerprint }),
  }
}

/**
 * The claim of a mutation to its idempotency key.
 * @throws GraphQLError where it cannot be told what the key would stand for: passing it over would do the work twice
 */
function idempotencyOf(
  { fingerprintKey }: AuthorizerDeps,
  { rawHeaders, headers, requestId, body }: RoutedRequest,
  caller: Caller,
): IdempotencyRequest | undefined {
  const idempotencyKeys = idempotencyKeysOf({ rawHeaders, headers })
  if (idempotencyKeys.length === 0) return undefined
  const { query, operationName, variables } = (typeof body === 'object' && body !== null ? body : {}) as {
    query?: unknown
    operationName?: unknown
    variables?: unknown
  }
  if (typeof query !== 'string') {
    throw refused('BAD_REQUEST', 'With an Idempotency-Key the request has to come with the text of its document.')
  }
  const document = parseDocument(query)
  const name = typeof operationName === 'string' ? operationName : undefined
  const operation = getOperationAST(document, name)
  if (!operation) throw refused('OPERATION_RESOLUTION_FAILURE', 'The document has no such operation.')
  const writes = operation.operation === 'mutation'
  // A router runs each root field by itself, and the key would stand for the first one only.
  if (writes && rootKeysOf(operation.selectionSet, fragmentsOf(document)).size !== 1) {
    throw refused('BAD_USER_INPUT', 'With an Idempotency-Key a document must have exactly one mutation field.')
  }
  // Its text could not even be written where it is nested too deep.
  const invalid = invalidTextError(document, variables, name)
  if (invalid) throw invalid
  // The same text as our gateway's, so that a request is the same whichever of the two it comes by.
  const text = (): string => `${hashOf(query)} ${name ?? ''} ${JSON.stringify(variables ?? {})}`
  return requestContext({ caller, requestId, idempotencyKeys }, { writes, text }, fingerprintKey).context.idempotency
}

/** The parser's own error would quote the document, which may hold anything. */
function parseDocument(query: string): ReturnType<typeof parse> {
  try {
    return parse(query, { maxTokens: QUERY_LIMITS.tokens, noLocation: true })
  } catch {
    throw refused('GRAPHQL_PARSE_FAILED', 'The document cannot be parsed, or is too long.')
  }
}

function refused(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}

function refusalOf(
  { docs, limitPerMinute, log }: AuthorizerDeps,
  { requestId }: RoutedRequest,
  verdict: Exclude<AuthenticationVerdict, { kind: 'ok' }>,
): Authorization {
  const shown: Record<string, string> = { ...verdict.headers, [REQUEST_ID]: requestId }
  if (verdict.kind === 'failed') {
    const { cause } = verdict
    log.error({ requestId, err: cause }, 'the status of a key cannot be found out')
    const error = cause instanceof AppError ? cause : new AppError('server_error')
    return { kind: 'refused', shown, ...answerOf(error) }
  }
  if (verdict.kind === 'rate') {
    const tooMany = rateRefusal(docs, limitPerMinute)
    const body = { ...tooMany, ...graphqlRefusal('RATE_LIMITED', tooMany.message) }
    return { kind: 'refused', shown: { ...shown, 'retry-after': String(verdict.retryAfterSeconds) }, status: 429, body }
  }
  const forbidden = unknownKeyRefusal(docs)
  const hint = verdict.kind === 'forbidden' && { hint: verdict.hint }
  const body = { ...forbidden, ...hint, ...graphqlRefusal('UNAUTHENTICATED', forbidden.message) }
  return { kind: 'refused', shown, status: 403, body }
}

function answerOf(error: AppError): { status: number; body: object } {
  const { http: status, body } = appRefusal(error)
  return { status, body }
}
