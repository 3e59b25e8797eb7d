import {
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api'
import { AppError } from './errors.js'

const tracer = trace.getTracer('payments-api')

/** A span of nothing, for work that nobody is told of. */
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

let areSent = false

/** From here on spans are made: `app/tracing.ts` has said where they go, before anything is built that tells of itself. */
export function sendSpans(): void {
  areSent = true
}

/** Whether spans go anywhere. Where they do not, none are made: every request, operation and statement has one. */
export function areSpansSent(): boolean {
  return areSent
}

/**
 * Does a piece of work in a span of its own. Names and attributes are words of ours: a trace leaves the house, so no value of
 * a request, no address and no error's text belongs into it.
 * @param name of few different values, e.g. `job settle-chain`
 * @throws what the work throws; the span gets its code
 */
export function traced<Result>(
  name: string,
  { kind, attributes = {}, links = [] }: { kind: SpanKind; attributes?: Attributes; links?: Link[] },
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (!areSent) return work(NO_SPAN)
  return tracer.startActiveSpan(name, { kind, attributes, links }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(error) })
      throw error
    } finally {
      span.end()
    }
  })
}

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code
  return error instanceof Error ? error.name : 'error'
}

/** A span that hooks begin and end, and the context in which what it covers runs. It continues the trace of the headers. */
export function beginSpan(name: string, headers: object, attributes: Attributes): { span: Span; within: Context } {
  const parent = propagation.extract(context.active(), headers)
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
  return { span, within: trace.setSpan(parent, span) }
}

/** A span below the one that is under way, which the caller ends. Nothing else becomes a part of it. */
export function beginChild(name: string, { kind, attributes }: { kind: SpanKind; attributes: Attributes }): Span {
  return tracer.startSpan(name, { kind, attributes })
}

/** The span that is under way, as `linksTo` takes it later (`traceparent` of W3C Trace Context); undefined where there is none. */
export function traceparent(): string | undefined {
  return areSent ? traceHeaders()['traceparent'] : undefined
}

/** Links to what `traceparent` gave: the work goes on later, in a trace of its own. */
export function linksTo(parent: unknown): Link[] {
  if (typeof parent !== 'string') return []
  const origin = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent: parent }))
  return origin ? [{ context: origin }] : []
}

/** The headers by which another process continues this trace (W3C Trace Context); none where there is no trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}

/** Does what belongs to the trace that the headers name. */
export function inTraceOf<Result>(headers: object, work: () => Result): Result {
  return context.with(propagation.extract(context.active(), headers), work)
}
