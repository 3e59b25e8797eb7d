import type { Product } from '../../../kernel/tenant.js'

/** Each product, on or off. */
export interface ProductFlags {
  crypto: boolean
  pix: boolean
  creditCard: boolean
  kyc: boolean
  /** No product that is switched on: it is there where the deployment has markets. */
  yield: boolean
}

/** The flags of those products that are enabled. */
export function productFlags({ hasMarkets }: { hasMarkets: boolean }, products: readonly Product[]): ProductFlags {
  return {
    crypto: products.includes('crypto'),
    pix: products.includes('pix'),
    creditCard: products.includes('credit_card'),
    kyc: products.includes('kyc'),
    yield: hasMarkets,
  }
}
