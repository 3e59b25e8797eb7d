import type { FastifyRequest } from 'fastify'
import { recentlyUsed } from '../kernel/recently-used.js'
import type { PreparedOperation } from '../gateway/operation.js'
import { payloadFailure, type PayloadError } from '../gateway/payload-failure.js'
import { tokenBuckets } from '../gateway/rate-limit/token-bucket.js'
import { idempotencyKeysOf, requestContext } from '../gateway/request.js'
import { AppError } from '../kernel/errors.js'
import { bodyOf, keyScopeOf } from './act.js'
import { failed, invalid, refused, tooOften, type ActionAnswer, type Coded } from './action-answer.js'
import type { CheckoutDeps, OpenPage } from './deps.js'
import { keptProof } from './identity-cookie.js'
import { isIdentityProof, signIdentity } from './identity-proof.js'
import { isEmail, languageOf, text } from './page-actions.js'
import { loadDocument } from './read-payment.js'

/** How often in a minute, by one link. */
export const IDENTITY_ACTIONS = {
  'identity-code': 3,
  'identity-proof': 10,
  'identity-session': 6,
  'identity-state': 40,
} as const
export type IdentityAction = keyof typeof IDENTITY_ACTIONS

const MAX_KEPT = 10_000
/** How many addresses one link has codes sent to: a payer mistypes his, and nobody sends e-mails to strangers by a link. */
const ADDRESSES_MAX = 5

/** An action's request, once it is known whom it is about. */
interface Asked {
  page: OpenPage
  request: FastifyRequest
  email: string
  body: Readonly<Record<string, unknown>>
}

/** Runs an operation of the graph as the page's tenant. @throws the failure that it answers */
type Ask = (
  document: PreparedOperation,
  asked: Asked,
  variables: Record<string, unknown>,
) => Promise<Record<string, unknown>>

const FIELDS = { email: 'email', code: 'code' }

/** What the graph has refused. */
class Refused extends Error {
  constructor(readonly failure: Coded) {
    super(failure.code)
  }
}

/**
 * How a payer proves on the page who he is, where the payment needs that: a code to his e-mail address, then the
 * verification service. Session and state are told to who has typed the code on this page, and to nobody else.
 */
export function identityActions(
  deps: CheckoutDeps,
): (name: IdentityAction, page: OpenPage, request: FastifyRequest) => Promise<ActionAnswer> {
  const { clock, log, linkKey } = deps
  const budgets = new Map(
    Object.entries(IDENTITY_ACTIONS).map(([name, perMinute]) => [
      name,
      tokenBuckets({ perMinute, maxKept: MAX_KEPT, clock }),
    ]),
  )
  const given = steps(deps)
  return async (name, page, request) => {
    const { link, view } = page
    const body = bodyOf(request.body)
    const email = text(body['email']).toLowerCase()
    // Before it is counted: nothing is done for an address that is mistyped.
    if (!isEmail(email)) return invalid(['email'])
    const retryAfter = budgets.get(name)?.take(link.paymentId) ?? 0
    if (retryAfter > 0) return tooOften(retryAfter)
    if (!view.canVerify) return refused(403, 'product_disabled', [], view)
    const needsProof = name === 'identity-session' || name === 'identity-state'
    const proof = text(body['proof']) || keptProof(request)
    if (needsProof && !isIdentityProof(proof, { link, email }, linkKey, clock))
      return refused(403, 'identity_not_verified', [], view)
    try {
      return { status: 200, body: { view, given: await given[name]({ page, request, email, body }) } }
    } catch (error) {
      if (error instanceof Refused) return failed(FIELDS, error.failure, view)
      if (error instanceof AppError) return failed(FIELDS, error, view)
      log.error({ requestId: request.id, err: error }, 'an identity action of the payment page failed')
      return { status: 500, body: { error: { code: 'server_error' } } }
    }
  }
}

/** What each action does, and what the page is given of it. */
function steps(deps: CheckoutDeps): Record<IdentityAction, (asked: Asked) => Promise<object>> {
  const { supergraph, clock, linkKey } = deps
  const ask = asker(deps)
  const load = (name: string): PreparedOperation => loadDocument(supergraph, name)
  const prepare = load('identity-prepare')
  const sendCode = load('identity-send-code')
  const verifyCode = load('identity-verify-code')
  const session = load('identity-session')
  const record = load('identity-record')
  const isNewAddress = addressLimit()
  return {
    'identity-code': async (asked) => {
      const { email, page, body } = asked
      const language = languageOf(body)
      if (!isNewAddress(page.link.paymentId, email)) throw new AppError('otp_rate_limited')
      await ask(prepare, asked, { input: { email } })
      await ask(sendCode, asked, { input: { email, again: true }, ...language })
      return {}
    },
    'identity-proof': async (asked) => {
      const { email, page, body } = asked
      await ask(verifyCode, asked, { input: { email, code: text(body['code']), again: true } })
      return { proof: signIdentity({ link: page.link, email }, linkKey, clock) }
    },
    'identity-session': async (asked) => {
      const { createdKycSession } = await ask(session, asked, { input: { email: asked.email } })
      const { message, session: opened } = createdKycSession as { message: string; session: { sessionUrl: string } }
      const isApproved = message === 'KYC_ALREADY_APPROVED'
      return { state: isApproved ? 'approved' : 'pending', url: opened.sessionUrl }
    },
    'identity-state': async (asked) => {
      const { status } = await ask(record, asked, { email: asked.email })
      return { state: String(status).toLowerCase() }
    },
  }
}

function asker({ supergraph, fingerprintKey }: CheckoutDeps): Ask {
  return async (document, { page: { link, merchant }, request }, variables) => {
    const { tenantId, paymentId: pageOf } = link
    const caller = { tenantId, keyId: 'payment-page', products: merchant.products, pageOf }
    const name = document.operationName ?? ''
    const keyScope = `${name}:${keyScopeOf(link)}`
    const { context } = requestContext(
      { caller, requestId: request.id, idempotencyKeys: idempotencyKeysOf(request.raw), keyScope },
      { writes: name !== 'IdentityRecord', text: () => `${name} ${JSON.stringify(variables)}` },
      fingerprintKey,
    )
    const { data, errors } = await supergraph.execute(document, variables, context)
    const payload = (data?.['payload'] ?? {}) as { errors?: readonly PayloadError[] } & Record<string, unknown>
    const failure = (errors?.[0]?.extensions as Coded | undefined) ?? payloadFailure(payload.errors ?? [])
    if (failure) throw new Refused(failure)
    return payload
  }
}

/** Whether a link may have a code sent to an address: to those that it has, and a few more. */
function addressLimit(): (paymentId: string, email: string) => boolean {
  const known = recentlyUsed<string, Set<string>>(MAX_KEPT)
  return (paymentId, email) => {
    const addresses = known.get(paymentId) ?? new Set()
    if (!addresses.has(email) && addresses.size >= ADDRESSES_MAX) return false
    known.set(paymentId, addresses.add(email))
    return true
  }
}
