import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../gateway/rate-limit/network-of.js'
import { tokenBuckets } from '../gateway/rate-limit/token-bucket.js'
import type { CheckoutDeps, OpenPage } from './deps.js'
import { merchants } from './merchant.js'
import { pageView } from './page-view.js'
import { paymentReader } from './read-payment.js'
import { returnSigner } from './return-url.js'
import { sessionOf, type SessionLink } from './session-link.js'

export type PageRequest = FastifyRequest<{ Params: { token: string } }>

/** What is answered in place of a page. */
export interface Refusal {
  code: 404 | 429 | 503
  notice: 'notFound' | 'expired' | 'unavailable'
}

export interface PageOpener {
  /** The page of a request, once its link is good and it is allowed to look. */
  open: (request: PageRequest, reply: FastifyReply) => Promise<OpenPage | Refusal>
  /** The page as it is now; undefined where there is no such payment. */
  read: (link: SessionLink, requestId: string) => Promise<OpenPage | undefined>
}

/** How often a page may be looked at in a minute: a payer who waits, many times over. */
const LOOKS_PER_LINK = 120
/** All pages from one address, which may be a proxy's or an office's. */
const LOOKS_PER_ADDRESS = 1_200
const MAX_KEPT = 10_000

export function isRefusal(page: OpenPage | Refusal): page is Refusal {
  return 'notice' in page
}

/** Opens pages by their links. A link that is forged or expired is refused by arithmetic alone, before anything is read. */
export function pageOpener(deps: CheckoutDeps): PageOpener {
  const { clock, log, linkKey, chains, isSandbox } = deps
  const links = tokenBuckets({ perMinute: LOOKS_PER_LINK, maxKept: MAX_KEPT, clock })
  const addresses = tokenBuckets({ perMinute: LOOKS_PER_ADDRESS, maxKept: MAX_KEPT, clock })
  const merchantOf = merchants(deps.accounts, deps.products)
  const readPayment = paymentReader(deps.supergraph, log)
  const withReturn = returnSigner(deps.accounts)

  const read: PageOpener['read'] = async (link, requestId) => {
    const { tenantId, paymentId, expiresAt: linkExpiresAt } = link
    const merchant = await merchantOf(tenantId, requestId)
    const { products } = merchant
    const context = { requestId, caller: { tenantId, keyId: 'payment-page', products } }
    const page = await readPayment(paymentId, context)
    if (!page) return undefined
    const { payment } = page
    const unsigned = pageView(page, { merchant, chains, now: clock.now(), linkExpiresAt, isSandbox })
    return { link, payment, view: await withReturn({ payment, view: unsigned }, context), merchant }
  }

  return {
    read,
    open: async (request, reply) => {
      const { link, isExpired } = sessionOf(request.params.token, linkKey, clock)
      if (!link) return { code: 404, notice: isExpired ? 'expired' : 'notFound' }
      const waitSeconds = links.take(link.paymentId) || addresses.take(networkOf(request.ip))
      if (waitSeconds > 0) {
        reply.header('retry-after', String(waitSeconds))
        return { code: 429, notice: 'unavailable' }
      }
      try {
        return (await read(link, request.id)) ?? { code: 404, notice: 'notFound' }
      } catch (error) {
        log.error({ requestId: request.id, err: error }, 'the payment page failed')
        return { code: 503, notice: 'unavailable' }
      }
    },
  }
}
