import { parse } from 'graphql'
import { recentlyUsed } from '../kernel/recently-used.js'
import { askPeer } from '../kernel/peer.js'
import type { Picture } from '../kernel/picture-kind.js'
import type { SubgraphExecutor } from '../kernel/subgraph.js'
import type { OpenPage } from './deps.js'

const LOGO = parse('query MerchantLogo { brandingLogo { base64 type } }')

/** 65,536 bytes each at most. */
const MAX_KEPT = 100

/** Reads the logos of tenants; each version is kept as long as it is looked at. Undefined where a tenant has none. */
export function logos(accounts: SubgraphExecutor): (page: OpenPage, requestId: string) => Promise<Picture | undefined> {
  const kept = recentlyUsed<string, Picture>(MAX_KEPT)
  return async ({ link: { tenantId }, merchant: { branding } }, requestId) => {
    if (branding.logoVersion === null) return undefined
    const key = `${tenantId}:${branding.logoVersion}`
    const known = kept.get(key)
    if (known) return known
    const caller = { tenantId, keyId: 'payment-page', products: [] }
    const { brandingLogo } = await askPeer<{ brandingLogo: { base64: string; type: string } | null }>(
      accounts,
      LOGO,
      {},
      { requestId, caller },
    )
    if (!brandingLogo) return undefined
    const logo = { bytes: Buffer.from(brandingLogo.base64, 'base64'), type: brandingLogo.type }
    kept.set(key, logo)
    return logo
  }
}
