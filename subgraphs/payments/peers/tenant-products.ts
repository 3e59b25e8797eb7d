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
    tenantTakesPayments
  }
`)

interface Answer {
  tenantProductsStanding: Record<'crypto' | 'pix' | 'creditCard' | 'kyc', boolean>
  tenantTakesPayments: boolean
}

/**
 * The products that the context's tenant has; what jobs cannot learn from a key.
 * @returns undefined where the tenant is disabled, and takes no payments
 */
export async function readTenantProducts(
  accounts: SubgraphExecutor,
  context: RequestContext,
): Promise<readonly Product[] | undefined> {
  const answer = await askPeer<Answer>(accounts, TENANT_PRODUCTS, {}, context)
  if (!answer.tenantTakesPayments) return undefined
  const { creditCard, ...others } = answer.tenantProductsStanding
  const isOn: Readonly<Record<Product, boolean>> = { ...others, credit_card: creditCard }
  return PRODUCTS.filter((product) => isOn[product])
}
