import { context, SpanStatusCode, type Context, type Span } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../kernel/log.js'
import { beginSpan } from '../kernel/tracing.js'
import type { AuthenticatedRequest } from './authentication/hook.js'
import { whenOver } from './request-log.js'

type TracedRequest = AuthenticatedRequest & { trace?: { span: Span; within: Context } }

/**
 * A span for each request, as OpenTelemetry names those of HTTP servers: the route's pattern, never the address. It continues
 * the caller's trace where the request says one (`traceparent`).
 */
export function traceRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onRequest', (request: TracedRequest, _reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': request.method, 'http.route': route, 'payments.request_id': request.id }
    request.trace = beginSpan(`${request.method} ${route}`, request.headers, attributes)
    context.with(request.trace.within, done)
  })
  // The body comes in events of the connection, which know nothing of the request.
  app.addHook('preValidation', (request: TracedRequest, _reply, done) => {
    if (request.trace) context.with(request.trace.within, done)
    else done()
  })
  whenOver(app, log, (request: TracedRequest, _reply, { status, code }) => {
    const span = request.trace?.span
    span?.setAttributes({ 'http.response.status_code': status, 'payments.code': code })
    const tenant = request.caller?.tenantId
    if (tenant) span?.setAttribute('payments.tenant', tenant)
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR, message: code })
    span?.end()
  })
}
