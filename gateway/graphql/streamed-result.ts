import type { FastifyReply } from 'fastify'
import { accepts } from '../accepts.js'
import type { AuthenticatedRequest } from '../authentication/hook.js'
import { textOf } from '../live/event-streams.js'
import { documentOf } from './new-documents.js'

/** What streams are. */
export const EVENT_STREAM = 'text/event-stream'
/** How Apollo answers, the whole of it. */
const RESULT = 'application/graphql-response+json'

/**
 * Whether a client takes a result in either form of JSON. Apollo looks only once the operation was run, and takes whatever begins with a
 * number for a weight: Java's own client sends `q=.2`.
 */
export function takesResult(accept: string | undefined): boolean {
  if (!accept) return true
  const known = accept.toLowerCase().split(',').flatMap(ofOurs)
  return [RESULT, 'application/json'].some((type) => {
    // The narrowest that it has decides.
    const names = [type, 'application/*', '*/*'].flatMap((name) => [`${name};charset`, name])
    const name = names.find((one) => known.some((found) => found.name === one))
    return known.some((found) => found.name === name && found.weight > 0)
  })
}

/** A type that a client takes, and how much; none where it wants a parameter that no answer of ours has. */
function ofOurs(part: string): { name: string; weight: number }[] {
  const [type = '', ...parameters] = part.split(';').map((word) => word.trim())
  let [name, weight] = [type, 1]
  for (const parameter of parameters) {
    const [key, value] = parameter.split('=').map((word) => word.trim().replace(/^"(.*)"$/, '$1'))
    if (!value) continue
    if (key === 'q') weight = Number.parseFloat(value)
    else if (key === 'charset' && value === 'utf-8') name = `${type};charset`
    else return []
  }
  return [{ name, weight }]
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
