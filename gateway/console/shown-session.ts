import type { FastifyReply, FastifyRequest } from 'fastify'
import { rightsOf } from '../../kernel/permissions.js'
import type { SessionView } from './console-calls.js'

/** What answers a request of the console's pages. */
export type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** A session as the pages are answered it. */
export function shown({ personId, email, isOperator, ...session }: SessionView): object {
  const { tenants, invitations, tenantId, provenAt, hasPasskeys } = session
  const role = isOperator && tenantId === null ? 'operator' : tenants.find(({ id }) => id === tenantId)?.role
  const person = { id: personId, email, isOperator }
  return { person, rights: role ? rightsOf(role) : [], tenants, invitations, tenantId, provenAt, hasPasskeys }
}
