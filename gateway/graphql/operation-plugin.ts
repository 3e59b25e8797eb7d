import type { ApolloServerPlugin, GraphQLRequestListener, GraphQLResponse } from '@apollo/server'
import { GraphQLError, OperationTypeNode, type OperationDefinitionNode } from 'graphql'
import { recentlyUsed } from '../../kernel/recently-used.js'
import { AppError, IN_PROGRESS_RETRY_SECONDS } from '../../kernel/errors.js'
import { invalidTextError } from '../../kernel/invalid-text-error.js'
import type { Logger } from '../../kernel/log.js'
import type { GatewayRefusal } from '../authentication/hook.js'
import { rateHeaders } from '../rate-limit/rate-headers.js'
import { requestContext } from '../request.js'
import type { Admission } from '../admission.js'
import { answerCost, refusalCost } from './answer-cost.js'
import type { GraphqlContext } from './context.js'
import { isAboutTokens, refusalOf } from './errors.js'
import type { CachedDocument, DocumentCache } from './document-cache.js'
import { measureQuery, type QueryMeasure } from './measure-query.js'
import { fragmentsOf, type CostedSchema } from './measuring.js'
import type { PersistedDocuments } from './persisted-documents.js'
import { checkLimits } from './query-limits.js'
import { rootKeysOf } from './root-keys.js'
import { isAboutSecretLiteral } from './secret-literals.js'
import { takesResult } from './streamed-result.js'

/** How many documents' measures are kept. */
const MEASURES_MAX = 2000

/**
 * What happens to an operation between validation and execution: its limits, its idempotency key; and to its answer: the
 * replay header, and the status for clients that only know `application/json`.
 * @param deps.remember called with operations that are within the limits
 * @param deps.passed called with every document that is valid
 * @param deps.tooMany how an operation is refused that its key's rate has no room for
 */
export function operationPlugin(
  schema: CostedSchema,
  deps: {
    fingerprintKey: Buffer
    remember: DocumentCache['remember']
    passed: PersistedDocuments['passed']
    admission: Admission
    tooMany: GatewayRefusal
    log: Logger
  },
): ApolloServerPlugin<GraphqlContext> {
  const measures = recentlyUsed<string, QueryMeasure>(MEASURES_MAX)

  function measure(
    { document, queryHash, operationName, request }: Resolved,
    operation: OperationDefinitionNode,
  ): QueryMeasure {
    const key = `${queryHash}:${operationName ?? ''}`
    const known = measures.get(key)
    if (known) return known
    const measured = measureQuery(schema, document, operation, request.variables ?? {})
    if (!measured.variesWithVariables) measures.set(key, measured)
    return measured
  }

  // Holds no state of a request, so one serves all of them.
  const listener: GraphQLRequestListener<GraphqlContext> = {
    didResolveOperation: async (resolved) => {
      const { contextValue } = resolved
      const operation = resolved.operation as OperationDefinitionNode | undefined
      // Apollo itself answers where there is none of that name, although its types say that there always is one.
      if (!operation) return
      if (!takesResult(resolved.request.http?.headers.get('accept'))) throw notAcceptable()
      deps.passed(resolved.queryHash, resolved.source)
      if (operation.operation === OperationTypeNode.SUBSCRIPTION) throw notAsStream()
      const measured = measure(resolved, operation)
      contextValue.measured = measured
      checkLimits(measured)
      contextValue.run = { ...runOf(resolved, operation, deps.fingerprintKey), weight: measured.weight }
      deps.remember(
        resolved.source,
        resolved.request.operationName,
        cachedFrom(schema, resolved, { operation, measured }),
      )
      if (!contextValue.isOperationCounted) await charge(resolved, measured.weight, deps)
    },
    willSendResponse: ({ contextValue, request, response, errors }) => {
      logUnexpected(response, errors, contextValue, deps.log)
      // The other rules of validation quote the literals that they do not like.
      if (errors?.some(isAboutSecretLiteral) && response.body.kind === 'single') {
        const { singleResult } = response.body
        singleResult.errors = (singleResult.errors ?? []).filter((_, index) => isAboutSecretLiteral(errors[index]))
      }
      const [shown] = (response.body.kind === 'single' && response.body.singleResult.errors) || []
      if (shown) contextValue.tell(String(shown.extensions?.['code']).toLowerCase())
      tellCost(contextValue, response, errors)
      // What failed outside of the payload failed anew.
      if (contextValue.run?.outcome.replayed && !shown) response.http.headers.set('idempotent-replayed', 'true')
      if (errors?.some(({ extensions }) => extensions['code'] === 'IDEMPOTENCY_IN_PROGRESS'))
        response.http.headers.set('retry-after', String(IN_PROGRESS_RETRY_SECONDS))
      if (errors && response.http.status === 400 && isLenient(request.http?.headers.get('accept'), errors)) {
        response.http.status = 200
      }
      return Promise.resolve()
    },
  }
  const started = Promise.resolve(listener)
  return { requestDidStart: () => started }
}

/**
 * What Apollo has no name for is answered as `SERVER_ERROR` (`errors.ts`), which tells nothing: its cause is in the log alone. What failed
 * while it ran has that code already, and was logged.
 */
function logUnexpected(
  { body }: GraphQLResponse,
  errors: readonly GraphQLError[] | undefined,
  { request }: GraphqlContext,
  log: Logger,
): void {
  const shown = (body.kind === 'single' && body.singleResult.errors) || []
  for (const [index, { extensions, originalError }] of (errors ?? []).entries()) {
    if (shown[index]?.extensions?.['code'] !== 'SERVER_ERROR' || extensions['code'] === 'SERVER_ERROR') continue
    log.error({ requestId: request.requestId, err: originalError }, 'an operation failed before it was run')
  }
}

/** Tells in an answer what it cost: also in one that refuses, as that is where a client has to know. */
function tellCost(
  { charged, run, measured }: GraphqlContext,
  { body }: GraphQLResponse,
  errors: readonly GraphQLError[] | undefined,
): void {
  if (body.kind !== 'single') return
  const isRefused = !run || errors?.some(({ extensions }) => extensions['code'] === 'RATE_LIMITED') === true
  const cost =
    measured && !isRefused
      ? answerCost(charged, measured, body.singleResult.data)
      : refusalCost(charged, measured?.weight)
  body.singleResult.extensions = { ...body.singleResult.extensions, cost }
}

/** Apollo refuses it likewise, but only once the operation was run: a payment would be registered, and its client told of a refusal. */
function notAcceptable(): GraphQLError {
  return new GraphQLError('An answer is application/json or application/graphql-response+json: accept one of them.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 406 } },
  })
}

/** What is followed has more than one answer. */
function notAsStream(): GraphQLError {
  return new GraphQLError('A subscription is answered as a stream: send `accept: text/event-stream`.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  })
}

/** @throws GraphQLError `RATE_LIMITED` where the key's rate has no room for it */
async function charge(
  { contextValue, response }: Resolved,
  weight: number,
  { admission, tooMany }: { admission: Admission; tooMany: GatewayRefusal },
): Promise<void> {
  const charged = admission.charge(contextValue.request.keyHash, weight)
  const verdict = charged instanceof Promise ? await charged : charged
  if (!verdict) return
  contextValue.charged.rate = verdict
  for (const [name, value] of Object.entries(rateHeaders(verdict))) response.http.headers.set(name, value)
  if (verdict.allowed) return
  throw new GraphQLError(tooMany.message, { extensions: { code: 'RATE_LIMITED', http: { status: tooMany.code } } })
}

function cachedFrom(
  schema: CostedSchema,
  { document, source, queryHash: hash }: Resolved,
  { operation, measured }: { operation: OperationDefinitionNode; measured: QueryMeasure },
): CachedDocument {
  return {
    operation: { document, source, operationName: operation.name?.value, kind: operation.operation, hash },
    measureWith: measured.variesWithVariables
      ? (variables) => measureQuery(schema, document, operation, variables)
      : () => measured,
  }
}

type Resolved = Parameters<NonNullable<GraphQLRequestListener<GraphqlContext>['didResolveOperation']>>[0]

function runOf(
  { document, queryHash, operationName, request, contextValue }: Resolved,
  operation: OperationDefinitionNode,
  fingerprintKey: Buffer,
): ReturnType<typeof requestContext> {
  const writes = operation.operation === OperationTypeNode.MUTATION
  const isOne = rootKeysOf(operation.selectionSet, fragmentsOf(document)).size === 1
  if (writes && contextValue.request.idempotencyKeys.length > 0 && !isOne) {
    throw new GraphQLError('With an Idempotency-Key a document must have exactly one mutation field.', {
      extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
    })
  }
  const keyed = contextValue.request
  // What cannot be kept is refused by the subgraph, before anything is done; what is nested too deep could not even be written as text.
  const isRefused =
    writes && keyed.idempotencyKeys.length > 0 && invalidTextError(document, request.variables) !== undefined
  try {
    return requestContext(
      isRefused ? { ...keyed, idempotencyKeys: [] } : keyed,
      {
        writes,
        text: () => `${queryHash} ${operationName ?? ''} ${JSON.stringify(request.variables ?? {})}`,
      },
      fingerprintKey,
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw refusalOf(error)
  }
}

const REQUEST_ERRORS: readonly unknown[] = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']

/**
 * GraphQL over HTTP wants 200 for a document that cannot be parsed, validated or given its variables where the client does
 * not know `application/graphql-response+json`: those clients take any other status for a proxy's. What we refuse by
 * ourselves keeps its 400, which is how it differs from errors of variables: it says so in `extensions.http`.
 */
function isLenient(accept: string | undefined, errors: readonly GraphQLError[]): boolean {
  if (accept?.includes('application/graphql-response+json')) return false
  return errors.every(
    ({ message, extensions: { code, http } }) =>
      (REQUEST_ERRORS.includes(code) && !isAboutTokens(message)) || (code === 'BAD_USER_INPUT' && http === undefined),
  )
}
