import type { ConsoleCalls } from './console-calls.js'
import { objectIn, optionalTextIn } from './read-body.js'
import { refusePasskey, refuseStranger } from './refuse.js'
import { challengeHashOf, clearChallenge, newToken, setChallenge, setSession } from './session-cookie.js'
import { shown, type Route } from './shown-session.js'

/** How one signs in with a passkey: a challenge for this browser, and the session for what was signed. */
export function passkeyRoutes(calls: ConsoleCalls, publicUrl: string): Record<'start' | 'signIn', Route> {
  return {
    async start({ id }, reply) {
      const { token, hash: browserHash } = newToken()
      const options = await calls.options('startPasskeySignIn', { browserHash }, id)
      setChallenge(reply, token, publicUrl)
      return reply.send(options)
    },
    async signIn(request, reply) {
      const { body, id, ip, headers } = request
      const browserHash = challengeHashOf(request, publicUrl)
      const given = { email: optionalTextIn(body, 'email'), credential: objectIn(body, 'credential') }
      if (browserHash === undefined) return refusePasskey(reply)
      const { token, hash } = newToken()
      const input = { ...given, browserHash, hash, address: ip, agent: headers['user-agent'] ?? '' }
      if (!(await calls.call('signInWithPasskey', { input }, id))) return refusePasskey(reply)
      const session = await calls.session(hash, id)
      if (!session) return refuseStranger(reply)
      clearChallenge(reply, publicUrl)
      setSession(reply, token, publicUrl)
      return reply.send(shown(session))
    },
  }
}
