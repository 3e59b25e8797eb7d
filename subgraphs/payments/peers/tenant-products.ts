import { parse } from 'graphql'
import { askPeer } from '../../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'
import { PRODUCTS, type Product } from '../../../kernel/tenant.js'

const TENANT_PRODUCTS = parse(/* GraphQL */ `
  query TenantProducts {
    tenantProductsStanding {
      crypto
      pix
      creditCard
      kyc
    }
  }
`)

interface Flags {
  crypto: boolean
  pix: boolean
  creditCard: boolean
  kyc: boolean
}

/** The products that the context's tenant has; what jobs cannot learn from a key. */
export async function readTenantProducts(
  accounts: SubgraphExecutor,
  context: RequestContext,
): Promise<readonly Product[]> {
  const { tenantProductsStanding: flags } = await askPeer<{ tenantProductsStanding: Flags }>(
    accounts,
    TENANT_PRODUCTS,
    {},
    context,
  )
  const isOn: Readonly<Record<Product, boolean>> = {
    crypto: flags.crypto,
    pix: flags.pix,
    credit_card: flags.creditCard,
    kyc: flags.kyc,
  }
  return PRODUCTS.filter((product) => isOn[product])
}
