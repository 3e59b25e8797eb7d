import { parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { askPeer } from '../kernel/peer.js'
import type { SubgraphExecutor } from '../kernel/subgraph.js'
import type { Product } from '../kernel/tenant.js'

/** How a tenant's pages look, and which sites may show them in a frame. */
export interface Branding {
  displayName: string | null
  /** `#rrggbb`. */
  accentColor: string | null
  logoVersion: string | null
  embedOrigins: readonly string[]
}

/** Whose payment it is: how the tenant is called and how its pages look, and what it may use. */
export interface Merchant {
  name: string
  /** Whether the tenant is disabled: it takes no payments any more. */
  isDisabled: boolean
  branding: Branding
  products: readonly Product[]
}

const MERCHANT = parse(/* GraphQL */ `
  query Merchant {
    account {
      name
    }
    branding {
      displayName
      accentColor
      logoVersion
      embedOrigins
    }
    tenantProductsStanding {
      crypto
      pix
      creditCard
      kyc
    }
    tenantTakesPayments
  }
`)

interface Answer {
  account: { name: string } | null
  branding: Branding | null
  tenantProductsStanding: Record<'crypto' | 'pix' | 'creditCard' | 'kyc', boolean>
  tenantTakesPayments: boolean
}

const PLAIN: Branding = { displayName: null, accentColor: null, logoVersion: null, embedOrigins: [] }

/** What changes about a tenant is seen on its pages after this. */
const KEPT_MS = 5_000
const MAX_KEPT = 10_000

/**
 * Reads tenants for their pages, which have no key that would tell.
 * @param enabled the deployment's products: what it has not switched on, no tenant has
 */
export function merchants(
  accounts: SubgraphExecutor,
  enabled: readonly Product[],
): (tenantId: string, requestId: string) => Promise<Merchant> {
  const kept = new LRUCache<string, Merchant>({ max: MAX_KEPT, ttl: KEPT_MS })
  return async (tenantId, requestId) => {
    const known = kept.get(tenantId)
    if (known) return known
    const caller = { tenantId, keyId: 'payment-page', products: [] }
    const answer = await askPeer<Answer>(accounts, MERCHANT, {}, { requestId, caller })
    const { crypto, pix, creditCard, kyc } = answer.tenantProductsStanding
    const own = { crypto, pix, credit_card: creditCard, kyc }
    const branding = answer.branding ?? PLAIN
    const merchant = {
      name: branding.displayName ?? answer.account?.name ?? '',
      isDisabled: !answer.tenantTakesPayments,
      branding,
      products: enabled.filter((product) => own[product]),
    }
    kept.set(tenantId, merchant)
    return merchant
  }
}
