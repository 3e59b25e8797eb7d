import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type {
  AuthenticatedRequest,
  AuthenticationHook,
  AuthenticationOutcome,
  GatewayRefusal,
} from '../gateway/authentication/hook.js'
import { idempotencyKeysOf } from '../gateway/request.js'
import { tellOutcome } from '../gateway/request-log.js'
import type { Logger } from '../kernel/log.js'
import { isPromise } from '../kernel/promise-or-value.js'
import type { Caller } from '../kernel/tenant.js'
import { ERRORS, IN_PROGRESS_RETRY_SECONDS, type ErrorCode } from '../kernel/errors.js'
import { failureEnvelope, type Failure, type OwnCodes } from './envelope.js'
import { failureFrom, GraphFailure, handleRoute, type Answered, type RestDeps, type RestRequest } from './handle.js'
import { KYC_PATHS, REFUSED } from './kyc-routes.js'
import type { Route } from './route.js'
import { ROUTES } from './routes.js'

/** Mounts every route of the table, and the answers to what is not in it. */
export function mountRest(
  app: FastifyInstance,
  deps: RestDeps & { authenticate: AuthenticationHook; log: Logger },
): void {
  for (const route of ROUTES) mountRoute(app, deps, route)
  for (const refused of REFUSED) mountRefused(app, deps, refused)
  for (const [path, methods] of methodsByPath()) mountOtherMethods(app, deps, path, methods)
}

function mountRoute(
  app: FastifyInstance,
  deps: RestDeps & { authenticate: AuthenticationHook; log: Logger },
  route: Route,
): void {
  app.route({
    method: route.method,
    url: route.path,
    // Of a key that is known all is decided at once: the request need not wait for a promise.
    onRequest: (request: AuthenticatedRequest, reply, done) => {
      const admitted = isAdmittedTo(deps, route, request, reply)
      const goOn = (is: boolean): void => {
        if (is) done()
      }
      if (typeof admitted === 'boolean') goOn(admitted)
      else admitted.then(goOn, done)
    },
    errorHandler: (error, request, reply) => {
      answerFailure(deps.log, error, request, reply, route)
    },
    // What is there at once is sent at once, and nothing returned: fastify waits for what comes back, a reply included.
    handler: (request: AuthenticatedRequest, reply) => {
      const answered = handleRoute(deps, route, restRequest(request))
      if (isPromise(answered)) return answered.then((there) => sendAnswer(reply, there))
      void sendAnswer(reply, answered)
      return undefined
    },
  })
}

function sendAnswer(reply: FastifyReply, { envelope, text, replayed }: Answered): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true')
  tellOutcome(reply, envelope.status)
  reply.code(envelope.statusCode)
  if (text !== undefined) reply.type('application/json; charset=utf-8')
  return reply.send(text ?? envelope)
}

/** fastify takes nothing at all for a part of the path too: `/order/` is no path of ours. */
function hasEmptyPart({ params }: FastifyRequest): boolean {
  for (const name in params as object) if ((params as Readonly<Record<string, string>>)[name] === '') return true
  return false
}

/** Answers what went wrong on a route, in the route's words. */
export function answerFailure(
  log: Logger,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  route: OwnCodes,
): void {
  const failure = parserFailure(error as Error & { code?: string; statusCode?: number }) ?? failureFrom(error)
  if (failure.code === undefined) {
    log.error({ requestId: request.id, err: error, route: request.routeOptions.url }, 'a route failed')
  }
  if (error instanceof GraphFailure && error.isReplayed) reply.header('idempotent-replayed', 'true')
  void sendFailure(reply, request, failure, route)
}

/** The answer to what goes wrong on a path that is not in the table, as a path of the table answers it. */
export function failed(log: Logger): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    answerFailure(log, error, request, reply, {})
  }
}

type Admitted = Partial<Pick<Route, 'product' | 'crash' | 'errors'>>

/** As `isAdmitted`; a path with a part that is empty is none of ours, and answered as such. */
export function isAdmittedTo(
  deps: { authenticate: AuthenticationHook },
  route: Admitted,
  request: AuthenticatedRequest,
  reply: FastifyReply,
): boolean | Promise<boolean> {
  if (!hasEmptyPart(request)) return isAdmitted(deps, route, request, reply)
  const answered = answerUnknown(deps.authenticate, request, reply, 'not_found')
  return answered instanceof Promise ? answered.then(() => false) : false
}

/**
 * Whether a caller has a key, of a tenant where the path needs one, and the path's product: all of that before the body is
 * read. Otherwise they are answered.
 */
function isAdmitted(
  { authenticate }: { authenticate: AuthenticationHook },
  route: Admitted,
  request: AuthenticatedRequest,
  reply: FastifyReply,
): boolean | Promise<boolean> {
  const outcome = authenticate(request, reply, {
    refused: (refusal) => sendRefusal(reply, refusal),
    unauthorized: () => sendFailure(reply, request, { code: 'unauthorized', message: '' }, route),
  })
  const isIn = (settled: AuthenticationOutcome): boolean => settled !== 'answered' && hasRight(route, request, reply)
  return outcome instanceof Promise ? outcome.then(isIn) : isIn(outcome)
}

/** Whether the route is the caller's, who has a good key; otherwise they are answered. */
function hasRight(route: Admitted, request: AuthenticatedRequest, reply: FastifyReply): boolean {
  const code = request.caller && refusalOf(route, request.caller)
  if (code === undefined) return true
  void sendFailure(reply, request, { code, message: '' }, route)
  return false
}

/** What a caller with a good key is refused with before anything is read; undefined where the route is theirs. */
export function refusalOf(route: Admitted, caller: Caller): ErrorCode | undefined {
  if (caller.tenantId === null && route.errors?.includes('customer_not_logged')) return 'customer_not_logged'
  return route.product && !caller.products.includes(route.product) ? 'product_disabled' : undefined
}

/** A path that answers one error to every caller with a good key. */
function mountRefused(
  app: FastifyInstance,
  deps: { authenticate: AuthenticationHook },
  refused: (typeof REFUSED)[number],
): void {
  const { method, path: url, code } = refused
  const onRequest = async (request: AuthenticatedRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const admitted = await isAdmitted(deps, refused, request, reply)
    return admitted ? sendFailure(reply, request, { code, message: '' }, refused) : reply
  }
  app.route({ method, url, onRequest, handler: () => undefined })
}

function restRequest(request: AuthenticatedRequest): RestRequest {
  const { caller, id, raw, params, query, body } = request
  if (!caller) throw new Error('a route was not authenticated')
  return {
    caller,
    requestId: id,
    idempotencyKeys: idempotencyKeysOf(raw),
    params: params as RestRequest['params'],
    query: query as RestRequest['query'],
    body,
  }
}

function sendRefusal(reply: FastifyReply, refusal: GatewayRefusal): FastifyReply {
  tellOutcome(reply, refusal.code === 429 ? 'rate_limited' : 'forbidden')
  return reply.code(refusal.code).send(refusal)
}

function sendFailure(reply: FastifyReply, request: FastifyRequest, failure: Failure, route: OwnCodes): FastifyReply {
  const envelope = failureEnvelope(failure, route, request.id)
  tellOutcome(reply, envelope.status)
  if (envelope.status === 'idempotency_in_progress') reply.header('retry-after', String(IN_PROGRESS_RETRY_SECONDS))
  if (envelope.status === 'too_many_streams') reply.header('retry-after', '1')
  return reply.code(envelope.statusCode).send(envelope)
}

/** What fastify's body parser refuses, in our codes. */
function parserFailure({ code, statusCode }: Error & { code?: string; statusCode?: number }): Failure | undefined {
  const answer = (ours: ErrorCode): Failure => ({ code: ours, message: ERRORS[ours].message })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return answer('payload_too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return answer('unsupported_media_type')
  if (statusCode !== 400) return undefined
  return {
    code: 'validation_error',
    message: 'body: must be JSON',
    errors: [{ field: 'body', message: 'must be JSON' }],
  }
}

function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of [...ROUTES, ...REFUSED]) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}

const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * A known path with another method: 405 with the methods that it takes.
 * @param isHeadTaken whether HEAD comes with GET, as fastify has it unless it is told not to
 */
export function mountOtherMethods(
  app: FastifyInstance,
  { authenticate }: { authenticate: AuthenticationHook },
  path: string,
  taken: readonly string[],
  isHeadTaken = taken.includes('GET'),
): void {
  const others = ALL_METHODS.filter((method) => !taken.includes(method) && !(method === 'HEAD' && isHeadTaken))
  app.route({
    method: [...others],
    url: path,
    // The body is not read: whatever it is, the method is wrong.
    onRequest: async (request, reply) => {
      if (!hasEmptyPart(request)) reply.header('allow', taken.join(', '))
      await answerUnknown(authenticate, request, reply, hasEmptyPart(request) ? 'not_found' : 'method_not_allowed')
      return reply
    },
    handler: () => undefined,
  })
}

/** The answer to a path that is not in the table. */
export function notFound(
  authenticate: AuthenticationHook,
): (request: FastifyRequest, reply: FastifyReply) => void | Promise<void> {
  return (request, reply) => answerUnknown(authenticate, request, reply, 'not_found')
}

/**
 * Answers what no route takes: the same to every caller, but with a good key it counts against its rate, and a path of a
 * product that is off is that before it is unknown.
 */
function answerUnknown(
  authenticate: AuthenticationHook,
  request: AuthenticatedRequest,
  reply: FastifyReply,
  code: 'not_found' | 'method_not_allowed',
): void | Promise<void> {
  const answer = (as: ErrorCode = code): void => {
    sendFailure(reply, request, { code: as, message: '' }, {})
  }
  const answerAdmitted = (outcome: AuthenticationOutcome): void => {
    if (outcome === 'answered') return
    const isOff = KYC_PATHS.test(request.url) && !request.caller?.products.includes('kyc')
    answer(isOff ? 'product_disabled' : code)
  }
  const outcome = authenticate(request, reply, {
    refused: (refusal) => {
      if (refusal.code === 429) sendRefusal(reply, refusal)
      else answer()
    },
    unauthorized: () => {
      answer()
    },
  })
  // The key may not be identified at present: the path is unknown all the same.
  return outcome instanceof Promise
    ? outcome.then(answerAdmitted, () => {
        answer()
      })
    : answerAdmitted(outcome)
}
