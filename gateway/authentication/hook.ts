import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../kernel/tenant.js'
import type { RateVerdict } from '../rate-limit/rate-headers.js'
import type { Authentication, AuthenticationVerdict } from './authenticate.js'

/** A request that was let in: the hook left the caller and the hash of the key on it. */
export type AuthenticatedRequest = FastifyRequest & {
  caller?: Caller
  keyHash?: string
  /** The last verdict on the key's rate. */
  rate?: RateVerdict
  /** How many requests were counted for it against that rate. */
  counted?: number
  /** Whether its operation was counted already, and is still to be answered. */
  isOperationCounted?: boolean
  /** Whether its result is sent as a stream of one event; see `gateway/graphql/streamed-result.ts`. */
  isStreamed?: boolean
}

/** The two answers that are not envelopes: they come before any operation is known. */
export interface GatewayRefusal {
  code: 403 | 429
  message: string
  docs: string
  /** What was found instead of what is needed. */
  hint?: string
}

/** What became of a request: it goes on with its caller, or a refusal was sent. */
export type AuthenticationOutcome = 'admitted' | 'answered'

/**
 * Lets a request in, or answers it. A known key is decided at once, any other after a look-up.
 * @returns what became of it; rejects where the key's status cannot be found out
 */
export type AuthenticationHook = (
  request: AuthenticatedRequest,
  reply: FastifyReply,
  answers: {
    refused: (refusal: GatewayRefusal) => unknown
    /** @param forbidden the refusal of a key in a wrong form, for those who answer both alike */
    unauthorized: (forbidden: GatewayRefusal) => unknown
  },
) => AuthenticationOutcome | Promise<AuthenticationOutcome>

/** How much is kept of what a browser calls itself, in characters. */
const AGENT_MAX_LENGTH = 200

/** A person with where the request comes from, for the audit log; a key as it is. */
function callerFrom({ ip, headers }: FastifyRequest, caller: Caller): Caller {
  if (!caller.person) return caller
  const from = { address: ip, agent: (headers['user-agent'] ?? '').slice(0, AGENT_MAX_LENGTH) }
  return { ...caller, person: { ...caller.person, from } }
}

/** The refusal of what has no valid key. `docs` is where it sends people to. */
export function unknownKeyRefusal(docs: string): GatewayRefusal {
  return { code: 403, message: 'Access denied. A valid API Key is required.', docs }
}

/** The refusal of what exceeds a key's rate. `docs` is where it sends people to. */
export function rateRefusal(docs: string, limitPerMinute: number): GatewayRefusal {
  const perSecond = Number.isInteger(limitPerMinute / 60)
    ? String(limitPerMinute / 60)
    : (limitPerMinute / 60).toFixed(1)
  const message = `Rate limit exceeded: ${limitPerMinute} requests per minute (${perSecond} per second).`
  return { code: 429, message, docs }
}

/**
 * Authentication as fastify sees it.
 * @param docs where the refusals send people to
 * @param sessionKeyOf by what a request is known that has a session instead of a key; left out where sessions count for nothing
 */
export function authenticationHook(
  authentication: Authentication,
  docs: string,
  limitPerMinute: number,
  sessionKeyOf: (request: FastifyRequest) => string | undefined = () => undefined,
): AuthenticationHook {
  const forbidden = unknownKeyRefusal(docs)
  const tooMany = rateRefusal(docs, limitPerMinute)
  const settle = (
    verdict: AuthenticationVerdict,
    request: AuthenticatedRequest,
    reply: FastifyReply,
    answers: Parameters<AuthenticationHook>[2],
  ): AuthenticationOutcome => {
    reply.headers(verdict.headers)
    if (verdict.kind === 'ok') {
      request.caller = callerFrom(request, verdict.caller)
      request.keyHash = verdict.keyHash
      request.rate = verdict.rate
      request.counted = 1
      return 'admitted'
    }
    if (verdict.kind === 'failed') throw verdict.cause
    if (verdict.kind === 'unauthorized') answers.unauthorized(forbidden)
    else if (verdict.kind === 'forbidden') answers.refused({ ...forbidden, hint: verdict.hint })
    else {
      if (verdict.rate) request.rate = verdict.rate
      reply.header('retry-after', String(verdict.retryAfterSeconds))
      answers.refused(tooMany)
    }
    return 'answered'
  }
  return (request, reply, answers) => {
    const verdict = authentication.check(request.raw.rawHeaders, request.ip, () => sessionKeyOf(request))
    return verdict instanceof Promise
      ? verdict.then((settled) => settle(settled, request, reply, answers))
      : settle(verdict, request, reply, answers)
  }
}
