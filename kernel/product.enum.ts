import { graphqlEnum } from './subgraph.js'
import type { Product } from './tenant.js'

/** Said once for all subgraphs: they must not differ in an enum that is sent and answered. */
export const ProductEnum = graphqlEnum<Product>('Product', 'A product that a deployment and a tenant can have.', {
  crypto: 'Payments by crypto wallets.',
  pix: 'Payments by Pix.',
  credit_card: 'Payments by card.',
  kyc: 'Identity verification.',
})
