import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionHashOf, shownTenantOf } from '../authentication/console-session.js'
import type { ConsoleCalls } from './console-calls.js'
import { languageIn, objectIn, textIn, textOrNullIn } from './read-body.js'
import { refuseCode, refusePasskey, refuseStranger } from './refuse.js'
import { newToken, setSession } from './session-cookie.js'
import { shown, type Route } from './shown-session.js'

type SessionRoute =
  | 'show'
  | 'chooseTenant'
  | 'createTenant'
  | 'acceptInvitation'
  | 'declineInvitation'
  | 'startProof'
  | 'prove'
  | 'startPasskeyProof'
  | 'provePasskey'

/** What a change of a session is answered with. */
interface Answers {
  http?: number
  refused?: (reply: FastifyReply) => FastifyReply
  /** The tenant that the tab goes on to show; undefined for the one that was chosen by the change. */
  shownAfter?: Shown
}

type Shown = (request: FastifyRequest) => string | null | undefined
const CHOSEN: Shown = () => undefined

/**
 * What is asked with a session, answered as the tab sees it: with the tenant that it shows. What changes a session gives it another token:
 * see `SessionChange` of accounts.
 */
export function sessionRoutes(calls: ConsoleCalls, publicUrl: string): Record<SessionRoute, Route> {
  const show = async (
    { id }: FastifyRequest,
    reply: FastifyReply,
    { hash, tenantId, http = 200 }: { hash: string; tenantId: string | null | undefined; http?: number },
  ): Promise<unknown> => {
    const session = await calls.session(hash, id, tenantId)
    return session ? reply.code(http).send(shown(session)) : refuseStranger(reply)
  }
  /** Has a route answered by who is signed in, known by the session's hash. */
  const signedIn =
    (handler: (hash: string, ...asked: Parameters<Route>) => Promise<unknown>): Route =>
    async (request, reply) => {
      const hash = sessionHashOf(request, publicUrl)
      return hash === undefined ? refuseStranger(reply) : handler(hash, request, reply)
    }
  const changes = (
    name: 'chooseTenant' | 'createTenant' | 'acceptInvitation' | 'prove' | 'proveWithPasskey',
    variablesOf: (body: unknown) => object,
    { http = 200, refused = refuseCode, shownAfter = CHOSEN }: Answers = {},
  ): Route =>
    signedIn(async (hash, request, reply) => {
      const { token, hash: newHash } = newToken()
      const isDone = await calls.call(name, { hash, newHash, ...variablesOf(request.body) }, request.id)
      if (!isDone) return refused(reply)
      setSession(reply, token, publicUrl)
      return show(request, reply, { hash: newHash, tenantId: shownAfter(request), http })
    })
  return {
    show: signedIn((hash, request, reply) => show(request, reply, { hash, tenantId: shownTenantOf(request) })),
    chooseTenant: changes('chooseTenant', (body) => ({ tenantId: textOrNullIn(body, 'tenantId') })),
    createTenant: changes('createTenant', (body) => ({ name: textIn(body, 'name') }), { http: 201 }),
    acceptInvitation: changes('acceptInvitation', (body) => ({ id: textIn(body, 'id') })),
    declineInvitation: signedIn(async (hash, request, reply) => {
      await calls.call('declineInvitation', { hash, id: textIn(request.body, 'id') }, request.id)
      return show(request, reply, { hash, tenantId: shownTenantOf(request) })
    }),
    startProof: signedIn(async (hash, { id, body }, reply) => {
      await calls.call('startProof', { hash, language: languageIn(body) }, id)
      return reply.code(202).send({})
    }),
    prove: changes('prove', (body) => ({ code: textIn(body, 'code') }), { shownAfter: shownTenantOf }),
    startPasskeyProof: signedIn(async (hash, { id }, reply) =>
      reply.send(await calls.options('startPasskeyProof', { hash }, id)),
    ),
    provePasskey: changes('proveWithPasskey', (body) => ({ credential: objectIn(body, 'credential') }), {
      refused: refusePasskey,
      shownAfter: shownTenantOf,
    }),
  }
}
