import type { FastifyReply } from 'fastify'
import { sessionHashOf } from '../authentication/console-session.js'
import type { ConsoleCalls } from './console-calls.js'
import { objectIn, textIn, textOrNullIn } from './read-body.js'
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

/** What is asked with a session. What changes it gives it another token: see `SessionChange` of accounts. */
export function sessionRoutes(calls: ConsoleCalls, publicUrl: string): Record<SessionRoute, Route> {
  const show = async (reply: FastifyReply, hash: string, requestId: string, http = 200): Promise<unknown> => {
    const session = await calls.session(hash, requestId)
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
    { http = 200, refused = refuseCode } = {},
  ): Route =>
    signedIn(async (hash, request, reply) => {
      const { token, hash: newHash } = newToken()
      const isDone = await calls.call(name, { hash, newHash, ...variablesOf(request.body) }, request.id)
      if (!isDone) return refused(reply)
      setSession(reply, token, publicUrl)
      return show(reply, newHash, request.id, http)
    })
  return {
    show: signedIn((hash, { id }, reply) => show(reply, hash, id)),
    chooseTenant: changes('chooseTenant', (body) => ({ tenantId: textOrNullIn(body, 'tenantId') })),
    createTenant: changes('createTenant', (body) => ({ name: textIn(body, 'name') }), { http: 201 }),
    acceptInvitation: changes('acceptInvitation', (body) => ({ id: textIn(body, 'id') })),
    declineInvitation: signedIn(async (hash, { body, id }, reply) => {
      await calls.call('declineInvitation', { hash, id: textIn(body, 'id') }, id)
      return show(reply, hash, id)
    }),
    startProof: signedIn(async (hash, { id }, reply) => {
      await calls.call('startProof', { hash }, id)
      return reply.code(202).send({})
    }),
    prove: changes('prove', (body) => ({ code: textIn(body, 'code') })),
    startPasskeyProof: signedIn(async (hash, { id }, reply) =>
      reply.send(await calls.options('startPasskeyProof', { hash }, id)),
    ),
    provePasskey: changes('proveWithPasskey', (body) => ({ credential: objectIn(body, 'credential') }), {
      refused: refusePasskey,
    }),
  }
}
