import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { equalTexts } from '../../kernel/equal-texts.js'
import { decisionOf } from './decision.js'
import type { DiditStatus, SimulatedSession } from './session.js'
import type { SessionRequest, SimulatedSessions } from './sessions.js'

/** What the provider's routes need. */
export interface ProviderParts {
  sessions: SimulatedSessions
  apiKey: string
  workflowIds: readonly string[]
  urlOf: (session: SimulatedSession) => string
  /** Puts a session into a status and tells the product. */
  decide: (session: SimulatedSession, change: { status: DiditStatus }) => Promise<void>
}

type ById = FastifyRequest<{ Params: { id: string } }>

/** What an operator of the provider may set by hand. */
const REVIEW_STATUSES = ['Approved', 'Declined', 'Resubmitted'] as const

/** Adds Didit's API v3 as far as the product uses it, with its error bodies (Django REST framework). */
export function addProviderRoutes(app: FastifyInstance, parts: ProviderParts): void {
  const { sessions, apiKey, urlOf } = parts
  const guarded = { onRequest: guard(apiKey) }
  app.post('/v3/session/', guarded, (request, reply) => {
    const wanted = readRequest(request.body, parts.workflowIds)
    if ('failures' in wanted) return reply.code(400).send(wanted.failures)
    const session = sessions.createOrResume(wanted)
    return reply.code(201).send(sessionBody(session, urlOf(session)))
  })
  app.get('/v3/session/:id/decision/', guarded, (request: ById, reply) => {
    const session = sessions.find(request.params.id)
    return session ? reply.send(decisionOf(session, urlOf(session))) : notFound(reply)
  })
  app.patch('/v3/session/:id/update-status/', guarded, async (request: ById, reply) => {
    const session = sessions.find(request.params.id)
    if (!session) return notFound(reply)
    const { new_status: wanted } = (request.body ?? {}) as { new_status?: unknown }
    const status = REVIEW_STATUSES.find((candidate) => candidate === wanted)
    if (!status) return reply.code(400).send({ new_status: [`"${String(wanted)}" is not a valid choice.`] })
    await parts.decide(session, { status })
    return reply.send({ session_id: session.id })
  })
  app.delete('/v3/session/:id/delete/', guarded, (request: ById, reply) => {
    const session = sessions.find(request.params.id)
    if (!session) return notFound(reply)
    sessions.remove(session)
    return reply.code(204).send()
  })
}

function guard(apiKey: string) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const given = String(request.headers['x-api-key'] ?? '')
    if (equalTexts(given, apiKey)) done()
    else if (given.length === 0) void reply.code(401).send({ detail: 'Authentication credentials were not provided.' })
    else void reply.code(403).send({ detail: 'You do not have permission to perform this action.' })
  }
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ detail: 'Not found.' })
}

function readRequest(
  body: unknown,
  workflowIds: readonly string[],
): SessionRequest | { failures: Record<string, string[]> } {
  const {
    workflow_id: workflowId,
    vendor_data: vendorData,
    callback,
    metadata,
  } = (body ?? {}) as Record<string, unknown>
  if (workflowId === undefined) return { failures: { workflow_id: ['This field is required.'] } }
  if (typeof workflowId !== 'string' || !workflowIds.includes(workflowId)) {
    return { failures: { workflow_id: ['Invalid workflow_id.'] } }
  }
  if (vendorData != null && typeof vendorData !== 'string')
    return { failures: { vendor_data: ['Not a valid string.'] } }
  if (callback != null && (typeof callback !== 'string' || !URL.canParse(callback))) {
    return { failures: { callback: ['Enter a valid URL.'] } }
  }
  return { workflowId, vendorData: vendorData ?? null, callback: callback ?? null, metadata: metadata ?? null }
}

function sessionBody(session: SimulatedSession, url: string): Record<string, unknown> {
  return {
    session_id: session.id,
    session_kind: 'user',
    session_number: session.number,
    session_token: session.token,
    url,
    vendor_data: session.vendorData,
    metadata: session.metadata,
    status: session.status,
    workflow_id: session.workflowId,
    callback: session.callback,
  }
}
