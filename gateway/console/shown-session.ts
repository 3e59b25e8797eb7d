import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SessionView } from './console-calls.js'

/** What answers a request of the console's pages. */
export type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** A session as the pages are answered it. */
export function shown({ personId, email, isOperator, ...session }: SessionView): object {
  const { tenants, invitations, tenantId, provenAt, hasPasskeys } = session
  return { person: { id: personId, email, isOperator }, tenants, invitations, tenantId, provenAt, hasPasskeys }
}
