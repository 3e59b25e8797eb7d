import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { validate } from 'graphql'
import { tokenBuckets } from '../gateway/rate-limit/token-bucket.js'
import { prepareOperation, type PreparedOperation } from '../gateway/operation.js'
import type { SupergraphExecutor } from '../gateway/supergraph.js'
import type { Clock } from '../kernel/clock.js'
import type { Logger } from '../kernel/log.js'
import { projectRoot } from '../kernel/root.js'
import { noticePage, pageHeaders, paymentPage, type ShownPayment } from './payment-page.js'
import { verifySession, type SessionLink } from './session-link.js'
import { languageOf } from './messages.js'

/** What the payment page runs on. */
export interface CheckoutDeps {
  supergraph: SupergraphExecutor
  /** Signs the links. */
  linkKey: Buffer
  clock: Clock
  log: Logger
}

/** How often a page may be looked at in a minute: a payer who waits, many times over. */
const LOOKS_PER_LINK = 120
/** All pages from one address, which may be a proxy's or an office's. */
const LOOKS_PER_ADDRESS = 1_200
const MAX_KEPT = 10_000

/**
 * Mounts the hosted payment page at `/pay/:token`. It needs no key: the token is good for one payment, and one that is
 * forged or expired is refused by arithmetic alone, before anything is read.
 * @throws when its document is not valid against the API schema
 */
export function mountCheckout(app: FastifyInstance, deps: CheckoutDeps): void {
  const operation = loadDocument(deps.supergraph)
  const { clock } = deps
  const links = tokenBuckets({ perMinute: LOOKS_PER_LINK, maxKept: MAX_KEPT, clock })
  const addresses = tokenBuckets({ perMinute: LOOKS_PER_ADDRESS, maxKept: MAX_KEPT, clock })
  app.get<{ Params: { token: string } }>('/pay/:token', async (request, reply) => {
    const language = languageOf(request.headers['accept-language'])
    reply.headers(pageHeaders(language))
    const link = verifySession(request.params.token, deps.linkKey, deps.clock)
    if (!link) return reply.code(404).send(noticePage('notFound', language))
    const waitSeconds = links.take(link.paymentId) || addresses.take(request.ip)
    if (waitSeconds > 0) {
      reply.header('retry-after', String(waitSeconds))
      return reply.code(429).send(noticePage('unavailable', language))
    }
    const found = await readPayment(deps, operation, link, request.id).catch((error: unknown) => {
      deps.log.error({ requestId: request.id, err: error }, 'the payment page failed')
      return 'unavailable' as const
    })
    if (found === 'unavailable') return reply.code(503).send(noticePage('unavailable', language))
    if (!found) return reply.code(404).send(noticePage('notFound', language))
    return reply.send(paymentPage(found, { now: deps.clock.now(), linkExpiresAt: link.expiresAt, language }))
  })
}

function loadDocument({ apiSchema }: SupergraphExecutor): PreparedOperation {
  const operation = prepareOperation(readFileSync(join(projectRoot, 'checkout', 'payment-page.graphql'), 'utf8'))
  const [problem] = validate(apiSchema, operation.document)
  if (problem) throw new Error(`checkout/payment-page.graphql: ${problem.message}`)
  return operation
}

/**
 * Reads as the tenant whose link it is; no product is needed to look at a payment. A payment whose order cannot be read right
 * now is shown without it.
 */
async function readPayment(
  { supergraph, log }: CheckoutDeps,
  operation: PreparedOperation,
  { tenantId, paymentId }: SessionLink,
  requestId: string,
): Promise<ShownPayment | undefined> {
  const caller = { tenantId, keyId: 'payment-page', products: [] }
  const { data, errors } = await supergraph.execute(operation, { id: paymentId }, { requestId, caller })
  const payment = data?.['payment'] as ShownPayment | null | undefined
  const [error] = errors ?? []
  if (payment && error) log.warn({ requestId, err: error }, 'the payment page lacks a part')
  if (payment) return payment
  if (error?.extensions['code'] === 'PAYMENT_NOT_FOUND') return undefined
  if (error) throw error
  return undefined
}
