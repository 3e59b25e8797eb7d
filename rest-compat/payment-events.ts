import type { FastifyInstance } from 'fastify'
import type { AuthenticatedRequest, AuthenticationHook } from '../gateway/authentication/hook.js'
import { lastEventIdOf, streamNews, type LiveDeps, type Telling } from '../gateway/live/live.js'
import type { ErrorCode } from '../kernel/errors.js'
import type { Logger } from '../kernel/log.js'
import type { EventRenderer } from './render-event.js'
import { answerFailure, isAdmittedTo, mountOtherMethods } from './server.js'

/** The one route whose answer is a stream; what it may answer in its place is an envelope, as everywhere. */
export const EVENTS_ROUTE: { method: 'GET'; path: string; errors: readonly ErrorCode[] } = {
  method: 'GET',
  path: '/payment/:id/events',
  errors: ['customer_not_logged', 'payment_not_found', 'validation_error', 'too_many_streams'],
}

/** What the route runs on. */
export interface PaymentEventsDeps {
  live: LiveDeps
  /** Shows an event as its webhook does. */
  renderEvent: EventRenderer
  authenticate: AuthenticationHook
  log: Logger
}

/**
 * Mounts `GET /payment/:id/events`: a payment as it is now, and again after each change that webhooks tell of, as server-sent
 * events. Each is the body of its webhook, and its id the sequence.
 */
export function mountPaymentEvents(app: FastifyInstance, deps: PaymentEventsDeps): void {
  app.route({
    method: EVENTS_ROUTE.method,
    url: EVENTS_ROUTE.path,
    exposeHeadRoute: false,
    onRequest: async (request: AuthenticatedRequest, reply) =>
      (await isAdmittedTo(deps, EVENTS_ROUTE, request, reply)) ? undefined : reply,
    errorHandler: (error, request, reply) => {
      answerFailure(deps.log, error, request, reply, {})
    },
    handler: async (request: AuthenticatedRequest, reply) => {
      const { caller, keyHash } = request
      if (!caller || keyHash === undefined) throw new Error('a route was not authenticated')
      const { id: paymentId } = request.params as { id: string }
      const context = { caller, requestId: request.id }
      const followed = { context, keyHash, paymentId, lastEventId: lastEventIdOf(request) }
      const show: Telling['show'] = async ({ sequence, id }, { caller: { tenantId } }) => {
        if (tenantId === null) return undefined
        const event = await deps.renderEvent({ tenantId, source: 'payments', resourceId: paymentId, sequence })
        if (!event) return undefined
        const { type, timestamp, data } = event
        return { id, data: JSON.stringify({ type, timestamp, sequence, data }) }
      }
      await streamNews(deps.live, followed, { request, reply }, { show })
      return reply
    },
  })
  mountOtherMethods(app, deps, EVENTS_ROUTE.path, [EVENTS_ROUTE.method], false)
}
