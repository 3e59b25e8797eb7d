import type { FastifyRequest } from 'fastify'
import type { PreparedOperation } from '../gateway/operation.js'
import { payloadFailure, type PayloadError } from '../gateway/payload-failure.js'
import { tokenBuckets } from '../gateway/rate-limit/token-bucket.js'
import { idempotencyKeysOf, requestContext } from '../gateway/request.js'
import { AppError } from '../kernel/errors.js'
import { isObject } from '../kernel/json.js'
import { failed, invalid, refused, tooOften, type ActionAnswer, type Coded } from './action-answer.js'
import type { CheckoutDeps, OpenPage } from './deps.js'
import { walletLeaver } from './leave-wallet.js'
import type { PageOpener, PageRequest } from './open-page.js'
import { PAGE_ACTIONS, type PageAction } from './page-actions.js'
import type { SessionLink } from './session-link.js'
import { payoutChain } from './wallet-chains.js'
import { loadDocument } from './read-payment.js'

const MAX_KEPT = 10_000

/** What an action's document asks of its mutation's payload, besides what the page is given. */
interface Payload {
  errors: readonly PayloadError[]
  [field: string]: unknown
}

/**
 * The actions of the page: each is an operation of the graph, as the tenant whose link it is, on the link's payment and no
 * other. A repeated request under the same `Idempotency-Key` gets the first answer.
 * @param read reads the page again, after the action
 */
export function pageActions(
  deps: CheckoutDeps,
  read: PageOpener['read'],
): (name: string, page: OpenPage, request: FastifyRequest) => Promise<ActionAnswer> {
  const { supergraph, clock } = deps
  const run = actionRunner(deps, read)
  const ready = new Map(
    Object.entries(PAGE_ACTIONS).map(([name, action]) => [
      name,
      {
        action,
        document: loadDocument(supergraph, action.operation),
        budget: tokenBuckets({ perMinute: action.perMinute, maxKept: MAX_KEPT, clock }),
      },
    ]),
  )
  return async (name, page, request) => {
    const { budget, ...known } = ready.get(name) ?? never(name)
    const { paymentId } = page.link
    const retryAfter = budget.take(paymentId)
    if (retryAfter > 0) return tooOften(retryAfter)
    const answer = await run(known, page, request)
    if (known.action.countsValidOnly && answer.body.error?.code === 'validation_error') budget.refund(paymentId)
    return answer
  }
}

/** Runs an action that its rate has room for. */
function actionRunner(
  deps: CheckoutDeps,
  read: PageOpener['read'],
): (
  known: { action: PageAction; document: PreparedOperation },
  page: OpenPage,
  request: FastifyRequest,
) => Promise<ActionAnswer> {
  const { supergraph, log } = deps
  const leaveWallet = walletLeaver(deps)
  return async ({ action, document }, page, request) => {
    const { link, payment, merchant, view } = page
    const { products } = merchant
    const body = bodyOf(request.body)
    if (view.isClosed && action.finishes?.(body) !== true) return refused(403, 'merchant_closed', [], view)
    const chainName = payoutChain(deps.chains, payment)
    const asked = action.read({
      payment,
      body,
      merchant: merchant.name,
      solanaChain: view.solanaChain,
      payoutChain: chainName === undefined ? {} : { chainName },
      ip: request.ip,
      pageUrl: pageUrlOf(deps, request),
    })
    if ('fields' in asked) return invalid(asked.fields)
    const refusal = action.refuses?.({ payment, body })
    if (refusal) return refused(409, refusal, [], view)
    const variables = { input: { ...asked.input, paymentId: link.paymentId } }
    const caller = { tenantId: link.tenantId, keyId: 'payment-page', products }
    const text = (): string => `${document.operationName ?? ''} ${JSON.stringify(variables)}`
    try {
      const { context } = requestContext(
        { caller, requestId: request.id, idempotencyKeys: idempotencyKeysOf(request.raw), keyScope: keyScopeOf(link) },
        { writes: true, text },
        deps.fingerprintKey,
      )
      const kept = action.leavesWallet ? await leaveWallet(page, asked.input, request.id) : undefined
      if (kept) return failed(action.fields, kept, (await read(link, request.id))?.view)
      const { data, errors } = await supergraph.execute(document, variables, context)
      const payload = data?.['payload'] as Payload | null | undefined
      const failure = (errors?.[0]?.extensions as Coded | undefined) ?? payloadFailure(payload?.errors ?? [])
      const next = (await read(link, request.id))?.view
      if (failure) return failed(action.fields, failure, next)
      const given = action.given?.(payload ?? {}, deps)
      return { status: 200, body: { view: next, ...(given && { given }) } }
    } catch (error) {
      if (error instanceof AppError) return failed(action.fields, error, undefined)
      log.error({ requestId: request.id, err: error }, 'an action of the payment page failed')
      return { status: 500, body: { error: { code: 'server_error' } } }
    }
  }
}

function pageUrlOf({ publicUrl }: CheckoutDeps, { params }: FastifyRequest): string {
  return `${publicUrl}/pay/${(params as PageRequest['params']).token}`
}

/** A key of the page is good within its link: it can be no key that the tenant, or another payer, has used. */
export function keyScopeOf({ paymentId }: SessionLink): string {
  return `page:${paymentId}:`
}

export function bodyOf(body: unknown): Record<string, unknown> {
  return isObject(body) ? body : {}
}

function never(name: string): never {
  throw new Error(`the page has no action ${name}`)
}
