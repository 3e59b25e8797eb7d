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
  const changes =
    (
      name: 'chooseTenant' | 'createTenant' | 'acceptInvitation' | 'prove' | 'proveWithPasskey',
      variablesOf: (body: unknown) => object,
      { http = 200, refused = refuseCode } = {},
    ): Route =>
    async (request, reply) => {
      const hash = sessionHashOf(request, publicUrl)
      if (hash === undefined) return refuseStranger(reply)
      const { token, hash: newHash } = newToken()
      const isDone = await calls.call(name, { hash, newHash, ...variablesOf(request.body) }, request.id)
      if (!isDone) return refused(reply)
      setSession(reply, token, publicUrl)
      return show(reply, newHash, request.id, http)
    }
  return {
    async show(request, reply) {
      const hash = sessionHashOf(request, publicUrl)
      return hash === undefined ? refuseStranger(reply) : show(reply, hash, request.id)
    },
    chooseTenant: changes('chooseTenant', (body) => ({ tenantId: textOrNullIn(body, 'tenantId') })),
    createTenant: changes('createTenant', (body) => ({ name: textIn(body, 'name') }), { http: 201 }),
    acceptInvitation: changes('acceptInvitation', (body) => ({ id: textIn(body, 'id') })),
    async declineInvitation(request, reply) {
      const hash = sessionHashOf(request, publicUrl)
      if (hash === undefined) return refuseStranger(reply)
      await calls.call('declineInvitation', { hash, id: textIn(request.body, 'id') }, request.id)
      return show(reply, hash, request.id)
    },
    async startProof(request, reply) {
      const hash = sessionHashOf(request, publicUrl)
      if (hash === undefined) return refuseStranger(reply)
      await calls.call('startProof', { hash }, request.id)
      return reply.code(202).send({})
    },
    prove: changes('prove', (body) => ({ code: textIn(body, 'code') })),
    async startPasskeyProof(request, reply) {
      const hash = sessionHashOf(request, publicUrl)
      if (hash === undefined) return refuseStranger(reply)
      return reply.send(await calls.options('startPasskeyProof', { hash }, request.id))
    },
    provePasskey: changes('proveWithPasskey', (body) => ({ credential: objectIn(body, 'credential') }), {
      refused: refusePasskey,
    }),
  }
}
