import type { FastifyReply } from 'fastify'
import { parse, type DocumentNode } from 'graphql'
import { recentlyUsed } from '../../kernel/recently-used.js'
import type { Admission } from '../admission.js'
import type { AuthenticatedRequest } from '../authentication/hook.js'
import { rateHeaders } from '../rate-limit/rate-headers.js'
import { hashOf } from '../operation.js'
import { tellOutcome } from '../request-log.js'
import { refusalCost } from './answer-cost.js'
import { graphqlRefusal } from './errors.js'
import { QUERY_LIMITS } from './query-limits.js'
import { repeatsProblem } from './repeats.js'

/** How many valid documents are remembered, by their hashes. */
const SEEN_MAX = 10_000
/** Validating so many takes about as long as a request of the contract, where fields are not repeated. */
const TOKENS_OF_A_REQUEST = 150
/** To parse a longer text, in characters, is work that other requests would notice. */
const PARSED_AT_ONCE_MAX = 2_000

/** What a document has to pass that was not validated before. */
export interface NewDocuments {
  /**
   * Counts what validating a request's document takes against its key's rate, and waits until other requests were served.
   * @returns whether it may be read; otherwise it is refused
   */
  admit: (request: AuthenticatedRequest, reply: FastifyReply) => Promise<boolean>
  /** Told of a document that is valid: it is kept from then on. */
  passed: (hash: string) => void
  /** Whether it was told of a document, and remembers it. */
  hasPassed: (hash: string) => boolean
}

/** Refuses a request that its key's rate has no room for. @param weight what it was to count */
export type RefuseByRate = (request: AuthenticatedRequest, reply: FastifyReply, weight: number) => unknown

/** Nothing has passed at first. A document that is not valid never passes: it is validated each time that it comes. */
export function newDocuments(admission: Pick<Admission, 'charge' | 'nextSlot'>, refuse: RefuseByRate): NewDocuments {
  const seen = recentlyUsed<string, true>(SEEN_MAX)

  return {
    hasPassed: (hash) => seen.has(hash),
    passed: (hash) => {
      seen.set(hash, true)
    },
    admit: async (request, reply) => {
      const text = documentOf(request)
      if (text === undefined || seen.get(hashOf(text))) return true
      if (text.length > PARSED_AT_ONCE_MAX) await admission.nextSlot()
      const parsed = parseShort(text)
      const weight = Math.floor((parsed?.tokens ?? 0) / TOKENS_OF_A_REQUEST)
      if (!parsed || weight <= 1) return true
      if (!(await isWithinRate({ admission, refuse }, request, reply, weight))) return false
      const repeated = repeatsProblem(parsed.document)
      if (repeated !== undefined) {
        sendTooComplex(request, reply, repeated)
        return false
      }
      await admission.nextSlot()
      return true
    },
  }
}

/**
 * Counts what a request is worth against its key's rate, and tells the rate in the answer.
 * @returns whether it may go on; otherwise it is refused
 */
export async function isWithinRate(
  { admission, refuse }: { admission: Pick<Admission, 'charge'>; refuse: RefuseByRate },
  request: AuthenticatedRequest,
  reply: FastifyReply,
  weight: number,
): Promise<boolean> {
  const verdict = await admission.charge(request.keyHash ?? '', weight)
  if (!verdict) return true
  request.rate = verdict
  reply.headers(rateHeaders(verdict))
  if (verdict.allowed) request.counted = (request.counted ?? 1) + weight - 1
  else refuse(request, reply, weight)
  return verdict.allowed
}

function sendTooComplex(request: AuthenticatedRequest, reply: FastifyReply, message: string): void {
  tellOutcome(reply, 'query_too_complex')
  reply.code(400).send(graphqlRefusal('QUERY_TOO_COMPLEX', message, refusalCost(request)))
}

/** The document of a request, where it has one; what else is wrong with the request is Apollo's to say. */
export function documentOf({ method, body, query }: AuthenticatedRequest): string | undefined {
  const fields = (method === 'GET' ? query : body) as Record<string, unknown> | null | undefined
  const text = fields?.['query']
  return typeof text === 'string' ? text : undefined
}

/** Parsed, and how long it is; nothing where it cannot be parsed, which is Apollo's to say. */
function parseShort(text: string): { document: DocumentNode; tokens: number } | undefined {
  try {
    const document = parse(text, { maxTokens: QUERY_LIMITS.tokens })
    let tokens = 0
    for (let token = document.loc?.startToken.next; token; token = token.next) tokens += 1
    return { document, tokens }
  } catch {
    return undefined
  }
}
