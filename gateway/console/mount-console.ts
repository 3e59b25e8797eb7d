import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/log.js'
import type { SubgraphExecutor } from '../../kernel/subgraph.js'
import { isForeign, sessionHashOf } from '../authentication/console-session.js'
import { networkOf } from '../rate-limit/network-of.js'
import { tokenBuckets, type TokenBuckets } from '../rate-limit/token-bucket.js'
import { consoleCalls, type ConsoleCalls } from './console-calls.js'
import { passkeyRoutes } from './passkey-routes.js'
import { languageIn, textIn } from './read-body.js'
import { failed, refuse, refuseCode, refuseRate, refuseStranger } from './refuse.js'
import { browserHashOf, clearSession, newToken, setBrowser, setSession } from './session-cookie.js'
import { sessionRoutes } from './session-routes.js'
import { shown, type Route } from './shown-session.js'

const BODY_LIMIT_BYTES = 4_096

/** Codes asked for, and codes tried, by one address. An e-mail address has its own limits in accounts. */
const SIGN_INS_PER_MINUTE = 20
/** The same of who is signed in, apart: strangers behind the same address take nothing of it. */
const PROOFS_PER_MINUTE = 20
/** How often one address may have sessions looked up, or changed: each is work for the database, and no key's rate counts it. */
const LOOKS_PER_MINUTE = 600
const CHANGES_PER_MINUTE = 60
const MAX_ADDRESSES = 10_000

/** What the console's routes run on. */
export interface ConsoleDeps {
  accounts: SubgraphExecutor
  clock: Clock
  log: Logger
  /** Where the product is reached. */
  publicUrl: string
}

/**
 * Mounts what the console's pages ask for besides GraphQL: who signs in, and which tenant is looked at. It is theirs alone,
 * so it is in no contract. Whatever is asked of an e-mail address is answered alike, known or not.
 */
export function mountConsole(app: FastifyInstance, deps: ConsoleDeps): void {
  const { clock, log, publicUrl } = deps
  const calls = consoleCalls(deps.accounts)
  const budget = (perMinute: number): TokenBuckets => tokenBuckets({ perMinute, maxKept: MAX_ADDRESSES, clock })
  const [signIns, proofs] = [budget(SIGN_INS_PER_MINUTE), budget(PROOFS_PER_MINUTE)]
  const [looks, changes] = [budget(LOOKS_PER_MINUTE), budget(CHANGES_PER_MINUTE)]
  const onRequest: Route = async (request, reply) => {
    if (isForeign(request, publicUrl)) return refuse(reply, 403, 'forbidden', 'Another site asks.')
    const isJson = request.headers['content-type']?.startsWith('application/json') === true
    if (request.method !== 'GET' && !isJson) {
      return refuse(reply, 415, 'unsupported_media_type', 'The body must be application/json.')
    }
  }
  const rated =
    (tries: TokenBuckets, handler: Route): Route =>
    async (request, reply) => {
      const waitSeconds = tries.take(networkOf(request.ip))
      return waitSeconds > 0 ? refuseRate(reply, waitSeconds) : handler(request, reply)
    }
  const route = (method: 'GET' | 'POST', path: string, handler: Route): void => {
    const options = { bodyLimit: BODY_LIMIT_BYTES, errorHandler: failed(log), onRequest }
    app.route({ method, url: `/console/api/${path}`, ...options, handler })
  }
  route('POST', 'sign-in', rated(signIns, sendCode(calls, publicUrl)))
  route('POST', 'sign-in/code', rated(signIns, signIn(calls, publicUrl)))
  route('POST', 'sign-out', rated(changes, signOut(calls, publicUrl)))
  const passkeys = passkeyRoutes(calls, publicUrl)
  route('POST', 'sign-in/passkey/start', rated(signIns, passkeys.start))
  route('POST', 'sign-in/passkey', rated(signIns, passkeys.signIn))
  const session = sessionRoutes(calls, publicUrl)
  route('GET', 'session', rated(looks, session.show))
  route('POST', 'session/tenant', rated(changes, session.chooseTenant))
  route('POST', 'tenants', rated(changes, session.createTenant))
  route('POST', 'invitations/accept', rated(changes, session.acceptInvitation))
  route('POST', 'invitations/decline', rated(changes, session.declineInvitation))
  route('POST', 'prove/start', rated(proofs, session.startProof))
  route('POST', 'prove', rated(proofs, session.prove))
  route('POST', 'prove/passkey/start', rated(proofs, session.startPasskeyProof))
  route('POST', 'prove/passkey', rated(proofs, session.provePasskey))
}

function sendCode(calls: ConsoleCalls, publicUrl: string): Route {
  return async (request, reply) => {
    const email = textIn(request.body, 'email')
    const browserHash = setBrowser(request, reply, publicUrl)
    const language = languageIn(request.body)
    await calls.call('sendCode', { email, browserHash, network: networkOf(request.ip), language }, request.id)
    return reply.code(202).send({})
  }
}

function signIn(calls: ConsoleCalls, publicUrl: string): Route {
  return async (request, reply) => {
    const { body, id, ip, headers } = request
    const { token, hash } = newToken()
    const given = { email: textIn(body, 'email'), code: textIn(body, 'code') }
    const browserHash = browserHashOf(request, publicUrl) ?? null
    const input = { ...given, browserHash, hash, address: ip, agent: headers['user-agent'] ?? '' }
    if (!(await calls.call('signIn', { input }, id))) return refuseCode(reply)
    const session = await calls.session(hash, id)
    if (!session) return refuseStranger(reply)
    setSession(reply, token, publicUrl)
    return reply.send(shown(session))
  }
}

function signOut(calls: ConsoleCalls, publicUrl: string): Route {
  return async (request, reply) => {
    const hash = sessionHashOf(request, publicUrl)
    if (hash !== undefined) await calls.call('signOut', { hash }, request.id)
    clearSession(reply, publicUrl)
    return reply.code(204).send()
  }
}
