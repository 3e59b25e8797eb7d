import type { FastifyReply } from 'fastify'
import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  OperationTypeNode,
  parse,
  print,
  specifiedRules,
  validate,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql'
import { documentBytes, documentLru } from '../../kernel/document-size.js'
import { AppError } from '../../kernel/errors.js'
import { parseJson } from '../../kernel/json.js'
import type { Logger } from '../../kernel/log.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import type { Admission } from '../admission.js'
import type { AuthenticatedRequest } from '../authentication/hook.js'
import { variableErrors } from '../check-variables.js'
import { lastEventIdOf, streamNews, type LiveDeps, type Telling } from '../live/live.js'
import { textOf } from '../live/event-streams.js'
import type { PaymentNews } from '../live/payment-news.js'
import { hashOf, type PreparedOperation } from '../operation.js'
import type { SupergraphExecutor } from '../supergraph.js'
import { refusalCost, type AnswerCost } from './answer-cost.js'
import { formatError } from './errors.js'
import { eventCharge, type EventCharge } from './event-charge.js'
import { visibleErrors } from './graph.js'
import { measureQuery } from './measure-query.js'
import { documentOf, isWithinRate, type RefuseByRate } from './new-documents.js'
import { limitProblem, QUERY_LIMITS } from './query-limits.js'
import { secretLiteralsRule } from './secret-literals.js'
import { EVENT_STREAM, takesStream } from './streamed-result.js'
import { asQuery, conditionAtRoot, EVENT_VARIABLES, followedPayment } from './subscription-document.js'
import { withoutValues } from './variable-errors.js'

/** How much is kept of subscriptions that were validated. */
const DOCUMENTS_MAX_BYTES = 4 * 1024 * 1024

/** A subscription that fits the schema. */
interface Subscription {
  document: DocumentNode
  /** What shows one of its events. */
  query: PreparedOperation
}

/** What subscriptions run on. */
export interface SubscriptionDeps {
  supergraph: SupergraphExecutor
  admission: Admission
  live: LiveDeps
  log: Logger
  refuse: RefuseByRate
}

/**
 * GraphQL over server-sent events in its distinct connections mode (https://github.com/enisdenjo/graphql-sse, PROTOCOL.md): a
 * request that accepts `text/event-stream` and subscribes is answered by events `next` with a result each, and `complete` where no
 * more will come. A stream that ends without it is to be opened again with `Last-Event-ID`.
 * @returns (the function returned) false where the request is for no subscription
 * @throws (the function returned) too_many_streams
 */
export function graphqlSubscriptions(
  deps: SubscriptionDeps,
): (request: AuthenticatedRequest, reply: FastifyReply) => Promise<boolean> {
  const { apiSchema } = deps.supergraph
  const known = documentLru<Subscription>(DOCUMENTS_MAX_BYTES)
  const prepare = (source: string, operationName: string | undefined): Subscription | undefined => {
    const key = `${operationName ?? ''}\u0000${source}`
    const found = known.get(key)
    if (found) return found
    const document = parseSource(source)
    if (getOperationAST(document, operationName)?.operation !== OperationTypeNode.SUBSCRIPTION) return undefined
    const prepared = prepareSubscription(apiSchema, document, operationName)
    known.set(key, prepared, { size: documentBytes(source, document) * 2 })
    return prepared
  }
  return async (request, reply) => {
    const source = takesStream(request) ? documentOf(request) : undefined
    if (source === undefined) return false
    const { operationName, variables } = detailsOf(request)
    try {
      const subscription = prepare(source, operationName)
      if (!subscription) return false
      await open(deps, subscription, variables, request, reply)
    } catch (error) {
      const errors = error instanceof Refusal ? error.errors : [error]
      if (errors.some((one) => one instanceof AppError && one.code === 'too_many_streams')) throw error
      if (!errors.every((one) => one instanceof GraphQLError || one instanceof AppError)) throw error
      const cost = refusalCost(request, error instanceof Refusal ? error.weight : 1)
      sendErrors(reply, errors as (GraphQLError | AppError)[], cost)
    }
    return true
  }
}

/** Several errors at once, and what the operation would have counted, as far as that is known. */
class Refusal extends Error {
  constructor(
    readonly errors: readonly GraphQLError[],
    readonly weight = 1,
  ) {
    super('a subscription was refused')
  }
}

/** @throws GraphQLError on syntax */
function parseSource(source: string): DocumentNode {
  try {
    return parse(source, { maxTokens: QUERY_LIMITS.tokens })
  } catch (error) {
    throw new GraphQLError((error as GraphQLError).message, { extensions: { code: 'GRAPHQL_PARSE_FAILED' } })
  }
}

/** @throws Refusal where the document does not fit the schema */
function prepareSubscription(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Subscription {
  const operation = getOperationAST(document, operationName)
  const condition = operation && conditionAtRoot(document, operation.selectionSet)
  // Before it is validated: graphql-js would throw where the condition is a variable, as none has a value yet.
  if (condition) throw new Refusal([notAlways(condition)])
  const problems = validate(schema, document, [...specifiedRules, secretLiteralsRule])
  if (problems.length > 0) {
    const secret = problems.filter(({ extensions }) => extensions['code'] === 'BAD_USER_INPUT')
    throw new Refusal(
      (secret.length > 0 ? secret : problems).map((problem) => withCode(problem, 'GRAPHQL_VALIDATION_FAILED')),
    )
  }
  const asked = asQuery(schema, document)
  const source = print(asked)
  const query = { document: asked, source, operationName, kind: OperationTypeNode.QUERY, hash: hashOf(source) }
  return { document, query }
}

function notAlways(condition: DirectiveNode): GraphQLError {
  const message = `@${condition.name.value} cannot stand on the root field of a subscription: it always follows something.`
  return new GraphQLError(message, { nodes: condition, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })
}

async function open(
  deps: SubscriptionDeps,
  { document, query }: Subscription,
  variables: Record<string, unknown>,
  request: AuthenticatedRequest,
  reply: FastifyReply,
): Promise<void> {
  const { caller, keyHash } = request
  const { apiSchema, costs } = deps.supergraph
  const definition = getOperationAST(document, query.operationName)
  const asked = getOperationAST(query.document, query.operationName)
  if (!caller || keyHash === undefined || !definition || !asked) throw new Error('a subscription was not checked')
  const wrong = variableErrors(apiSchema, { ...query, document }, variables)
  if (wrong)
    throw new Refusal(
      withoutValues(wrong, apiSchema, { document, operation: definition }, variables).map((one) =>
        withCode(one, 'BAD_USER_INPUT'),
      ),
    )
  const { coerced = {} } = getVariableValues(apiSchema, definition.variableDefinitions ?? [], variables)
  const paymentId = followedPayment(apiSchema, document, query.operationName, coerced)
  const measured = measureQuery({ schema: apiSchema, costs }, query.document, asked, variables)
  const tooLarge = limitProblem(measured)
  if (tooLarge) throw new Refusal([tooLarge], measured.weight)
  if (!(await isWithinRate(deps, request, reply, measured.weight))) return
  const charge = eventCharge(deps.admission, { keyHash, counted: request.counted ?? 1 }, measured)
  const followed = {
    context: { caller, requestId: request.id },
    keyHash,
    paymentId,
    lastEventId: lastEventIdOf(request),
  }
  const show: Telling['show'] = async (news, context) => {
    const result = await run(deps, query, { news, variables, weight: measured.weight, charge }, context)
    return { event: 'next', id: news.id, data: JSON.stringify(result) }
  }
  await streamNews(deps.live, followed, { request, reply }, { show, mayTell: charge.next })
}

/** A change that is to be shown. */
interface ShownNews {
  news: PaymentNews
  variables: Record<string, unknown>
  weight: number
  charge: EventCharge
}

/** The result of a subscription after a change. */
async function run(
  { supergraph, admission, log }: SubscriptionDeps,
  query: PreparedOperation,
  { news, variables, weight, charge }: ShownNews,
  context: RequestContext,
): Promise<object> {
  const { id, sequence } = EVENT_VARIABLES
  const given = { ...variables, [id]: news.paymentId, [sequence]: news.sequence }
  const weighed = { kind: OperationTypeNode.QUERY, weight, ...supergraph.placeOf(query) }
  const { data, errors } = await admission.run(weighed, context, (paced) => supergraph.execute(query, given, paced))
  const shown = errors && visibleErrors(errors, context.requestId, log).map((error) => formatError(error.toJSON()))
  return { ...(shown && { errors: shown }), data, extensions: { cost: charge.costOf(data) } }
}

/** The stream of a subscription that cannot run: its errors, and its end. */
function sendErrors(reply: FastifyReply, errors: readonly (GraphQLError | AppError)[], cost: AnswerCost): void {
  const shown = errors.map((error) =>
    error instanceof AppError
      ? { message: error.message, extensions: error.extensions }
      : formatError(error.toJSON(), error),
  )
  const events = [
    { event: 'next', data: JSON.stringify({ errors: shown, extensions: { cost } }) },
    { event: 'complete', data: '' },
  ]
  void reply.type(`${EVENT_STREAM}; charset=utf-8`).send(events.map(textOf).join(''))
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(error.message, { nodes: error.nodes ?? null, extensions: { code, ...error.extensions } })
}

function detailsOf({ method, body, query }: AuthenticatedRequest): {
  operationName: string | undefined
  variables: Record<string, unknown>
} {
  const { operationName, variables } = (method === 'GET' ? query : body) as Record<string, unknown>
  const given = method === 'GET' && typeof variables === 'string' ? parseJson(variables) : variables
  return {
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {},
  }
}
