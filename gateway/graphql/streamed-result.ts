import type { FastifyReply } from 'fastify'
import { accepts } from '../accepts.js'
import type { AuthenticatedRequest } from '../authentication/hook.js'
import { textOf } from '../live/event-streams.js'
import { documentOf } from './new-documents.js'

/** What streams are. */
export const EVENT_STREAM = 'text/event-stream'
/** How Apollo answers, the whole of it. */
const RESULT = 'application/graphql-response+json'

/** Of a type that a client takes: no other parameters than ours, and a weight as RFC 9110 has it. */
const PARAMETER = /^\s*(?:q=[01](?:\.\d*)?|charset="?utf-8"?)\s*$/

/** Whether a client takes a result in either form of JSON. Apollo looks only once the operation was run. */
export function takesResult(accept: string | undefined): boolean {
  if (!accept) return true
  const parts = accept.toLowerCase().split(',')
  const known = parts.filter((part) => part.split(';').every((word, index) => index === 0 || PARAMETER.test(word)))
  return [RESULT, 'application/json'].some((type) => accepts(known.join(','), type, 'application/*', '*/*'))
}

/** Whether a client takes a stream; `*` is no word for one, as every client sends it. */
export function takesStream({ headers }: AuthenticatedRequest): boolean {
  return accepts(headers.accept ?? '', EVENT_STREAM)
}

/**
 * A client that takes nothing but a stream gets the result of a query or a mutation as one, too: `next` and `complete`, as GraphQL over
 * server-sent events has it (distinct connections mode). One that takes JSON as well gets JSON. Apollo knows no such streams, so it is
 * asked for JSON.
 */
export function streamResult(request: AuthenticatedRequest): void {
  const accept = request.headers.accept ?? ''
  const takesJson = [RESULT, 'application/json'].some((type) => accepts(accept, type, 'application/*', '*/*'))
  if (!takesStream(request) || takesJson || documentOf(request) === undefined) return
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
