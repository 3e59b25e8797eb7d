import { ApolloServer } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyError, FastifyInstance, FastifyReply, RouteHandlerMethod } from 'fastify'
import { AppError } from '../../kernel/errors.js'
import { isObject, parseJson } from '../../kernel/json.js'
import type { Logger } from '../../kernel/log.js'
import type { GatewayRefusal, AuthenticatedRequest, AuthenticationHook } from '../authentication/hook.js'
import { idempotencyKeysOf } from '../request.js'
import { tellOutcome } from '../request-log.js'
import type { SupergraphExecutor } from '../supergraph.js'
import type { Admission } from '../admission.js'
import type { LiveDeps } from '../live/live.js'
import { refusalCost } from './answer-cost.js'
import type { GraphqlContext } from './context.js'
import { appRefusal, formatError, graphqlRefusal, parserRefusal } from './errors.js'
import { graphOf, visibleErrors } from './graph.js'
import { asksForPage, mountGraphiql } from './graphiql.js'
import { graphqlDocumentCache, type DocumentCache } from './document-cache.js'
import { newDocuments, type RefuseByRate } from './new-documents.js'
import { sendNoGraphiql } from './no-graphiql.js'
import { operationPlugin } from './operation-plugin.js'
import { persistedDocuments, type PersistedDocuments } from './persisted-documents.js'
import { QUERY_LIMITS } from './query-limits.js'
import { readParameters } from './query-parameters.js'
import { secretLiteralsRule } from './secret-literals.js'
import { asStream, streamResult } from './streamed-result.js'
import { graphqlSubscriptions } from './subscriptions.js'
import type { DocumentsOf } from './trusted-documents.js'

const PATH = '/graphql'

/** Apollo answers 405 itself to those that GraphQL does not use. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** What GraphQL runs on. */
export interface GraphqlDeps {
  supergraph: SupergraphExecutor
  authenticate: AuthenticationHook
  admission: Admission
  /** How an operation is refused that its key's rate has no room for. */
  tooMany: GatewayRefusal
  log: Logger
  fingerprintKey: Buffer
  live: LiveDeps
  /** What keys run, and what people at the console. */
  documents: { ofKeys: DocumentsOf; ofPeople: DocumentsOf }
}

/**
 * Mounts GraphQL over HTTP at `/graphql`, and for a browser that asks there for a page GraphiQL, where it could run anything.
 * Each request is authenticated before its body is read; documents are parsed and validated once.
 * @returns what ends it
 */
export async function mountGraphql(app: FastifyInstance, deps: GraphqlDeps): Promise<{ stop: () => Promise<void> }> {
  const refuse: RefuseByRate = (request, reply, weight) => sendRefusal(request, reply, deps.tooMany, weight)
  const known = graphqlDocumentCache(deps.supergraph, deps.admission, {
    show: (errors, requestId) => visibleErrors(errors, requestId, deps.log),
    refuse,
  })
  const fresh = newDocuments(deps.admission, refuse)
  const persisted = persistedDocuments(fresh, deps.documents)
  const subscribed = graphqlSubscriptions({ ...deps, refuse })
  const apollo = createApollo(deps, {
    remember: known.remember,
    passed: (hash, text) => {
      fresh.passed(hash)
      persisted.passed(hash, text)
    },
  })
  await apollo.start()
  const answerByApollo = fastifyApolloHandler<GraphqlContext>(apollo, {
    context: ({ id, raw, caller, keyHash, rate, counted, isOperationCounted = false }: AuthenticatedRequest, reply) => {
      if (!caller || keyHash === undefined) throw new Error('a GraphQL request was not authenticated')
      const tell = (code: string): void => {
        tellOutcome(reply, code)
      }
      return Promise.resolve({
        request: { caller, keyHash, requestId: id, idempotencyKeys: idempotencyKeysOf(raw) },
        charged: { rate, counted },
        isOperationCounted,
        tell,
      })
    },
  }) as RouteHandlerMethod
  const sendPage = deps.documents.ofKeys.isBound ? sendNoGraphiql : mountGraphiql(app)
  app.route({
    method: [...METHODS],
    url: PATH,
    onRequest: async (request: AuthenticatedRequest, reply) => {
      if (asksForPage(request)) return sendPage(request, reply)
      const outcome = await deps.authenticate(request, reply, {
        refused: (refusal) => sendRefusal(request, reply, refusal),
        // GraphQL clients have one answer for all keys that are no good.
        unauthorized: (forbidden) => sendRefusal(request, reply, forbidden),
      })
      return outcome === 'answered' ? reply : undefined
    },
    errorHandler: (error: FastifyError | AppError, request, reply) => {
      void sendFailure(error, request, reply, deps.log)
    },
    onSend: (request, reply, payload, done) => {
      done(null, asStream(request, reply, withCost(request, reply, payload)))
    },
    async handler(request: AuthenticatedRequest, reply) {
      readParameters(request)
      if (!persisted.resolve(request, reply)) return reply
      if (await known.answer(request, reply)) return reply
      if (!(await fresh.admit(request, reply))) return reply
      if (await subscribed(request, reply)) return reply
      streamResult(request)
      return answerByApollo.call(this, request, reply)
    },
  })
  return { stop: () => apollo.stop() }
}

function createApollo(
  { supergraph, admission, log, fingerprintKey, tooMany }: GraphqlDeps,
  told: Pick<DocumentCache, 'remember'> & Pick<PersistedDocuments, 'passed'>,
): ApolloServer<GraphqlContext> {
  return new ApolloServer<GraphqlContext>({
    gateway: graphOf(supergraph, admission, log),
    introspection: true,
    allowBatchedHttpRequests: false,
    // `persistedDocuments` has put the text in their place.
    persistedQueries: false,
    // A request with a key cannot come from a form or an image: the browser asks first, as for Apollo's own headers.
    csrfPrevention: {
      requestHeaders: ['x-api-key', 'x-console', 'x-apollo-operation-name', 'apollo-require-preflight'],
    },
    validationRules: [secretLiteralsRule],
    parseOptions: { maxTokens: QUERY_LIMITS.tokens, noLocation: false },
    includeStacktraceInErrorResponses: false,
    formatError,
    // The refusal by rate has the gateway's form too, wherever it is found out.
    stringifyResult: (result) =>
      JSON.stringify(result.errors?.[0]?.extensions?.['code'] === 'RATE_LIMITED' ? { ...tooMany, ...result } : result),
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    logger: {
      debug: (message: unknown) => {
        log.debug(String(message))
      },
      info: (message: unknown) => {
        log.info(String(message))
      },
      warn: (message: unknown) => {
        log.warn(String(message))
      },
      error: (message: unknown) => {
        log.error(String(message))
      },
    },
    plugins: [
      operationPlugin(
        { schema: supergraph.apiSchema, costs: supergraph.costs },
        { fingerprintKey, ...told, admission, tooMany, log },
      ),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  })
}

/** @param weight what it was to count, where it is its rate that has no room for it */
function sendRefusal(
  request: AuthenticatedRequest,
  reply: FastifyReply,
  refusal: GatewayRefusal,
  weight = 1,
): FastifyReply {
  const isByRate = refusal.code === 429
  const code = isByRate ? 'RATE_LIMITED' : 'UNAUTHENTICATED'
  const cost = isByRate ? refusalCost(request, weight) : undefined
  tellOutcome(reply, code.toLowerCase())
  return reply.code(refusal.code).send({ ...refusal, ...graphqlRefusal(code, refusal.message, cost) })
}

/** What Apollo refuses before it looks at a document, e.g. a body without one, knows nothing of costs: they are told all the same. */
function withCost(request: AuthenticatedRequest, { statusCode }: FastifyReply, payload: unknown): unknown {
  if (![400, 405, 406].includes(statusCode) || typeof payload !== 'string' || !request.caller) return payload
  const body = parseJson(payload)
  if (!isObject(body) || !Array.isArray(body['errors']) || body['extensions'] !== undefined) return payload
  return JSON.stringify({ ...body, extensions: { cost: refusalCost(request) } })
}

function sendFailure(
  error: FastifyError | AppError,
  request: AuthenticatedRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  const refusal = error instanceof AppError ? appRefusal(error) : parserRefusal(error)
  tellOutcome(reply, refusal?.body.errors[0]?.extensions.code.toLowerCase() ?? 'server_error')
  if (refusal?.http === 429) reply.header('retry-after', '1')
  const extensions = request.caller && { cost: refusalCost(request) }
  if (refusal) return reply.code(refusal.http).send({ ...refusal.body, ...(extensions && { extensions }) })
  log.error({ requestId: request.id, err: error }, 'a GraphQL request failed')
  const message = `Something went wrong on our side (request ${request.id}).`
  return reply.code(500).send(graphqlRefusal('SERVER_ERROR', message, extensions?.cost))
}
