import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import type { AuthenticatedRequest } from '../authentication/hook.js'
import { textOf } from '../live/event-streams.js'
import { documentOf } from './new-documents.js'

/** What streams are. */
export const EVENT_STREAM = 'text/event-stream'
const RESULT = 'application/graphql-response+json'
/** How Apollo answers, the whole of it. */
const RESULTS = [RESULT, 'application/json'].map((type) => `${type}; charset=utf-8`)

/** Whether a client takes a result in either form, as Apollo reads it. Apollo looks only once the operation was run. */
export function takesResult(accept: string | undefined): boolean {
  // An empty header is none, to Apollo as well.
  return !accept || new Negotiator({ headers: { accept } }).mediaType(RESULTS) !== undefined
}

/** Whether a client takes a stream; `*` is no word for one, as every client sends it. */
export function takesStream({ headers }: AuthenticatedRequest): boolean {
  return new Negotiator({ headers }).mediaTypes().some((type) => type.toLowerCase() === EVENT_STREAM)
}

/**
 * A client that takes nothing but a stream gets the result of a query or a mutation as one, too: `next` and `complete`, as GraphQL over
 * server-sent events has it (distinct connections mode). One that takes JSON as well gets JSON. Apollo knows no such streams, so it is
 * asked for JSON.
 */
export function streamResult(request: AuthenticatedRequest): void {
  if (!takesStream(request) || takesResult(request.headers.accept) || documentOf(request) === undefined) return
  request.isStreamed = true
  request.headers.accept = RESULT
}

/** A result as the stream that its client takes; what refuses the request itself, by its status, stays as it is. */
export function asStream({ isStreamed }: AuthenticatedRequest, reply: FastifyReply, payload: unknown): unknown {
  const isResult = reply.statusCode === 200 || reply.statusCode === 400
  if (isStreamed !== true || !isResult || typeof payload !== 'string') return payload
  reply.code(200).type(`${EVENT_STREAM}; charset=utf-8`)
  return [
    { event: 'next', data: payload.trimEnd() },
    { event: 'complete', data: '' },
  ]
    .map(textOf)
    .join('')
}
