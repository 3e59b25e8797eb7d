import { Directive, ID, ObjectType } from 'type-graphql'
import { DateTime, Url } from '../../../kernel/scalars.js'
import type { ProductFlags } from '../domain/product-flags.js'
import type { KeyStatus } from '../store/accounts.js'
import { Fields } from '../../../kernel/subgraph-fields.js'

@Fields<ProductFlags>('answer', {
  crypto: { type: () => Boolean, description: 'Payments by crypto wallets.' },
  pix: { type: () => Boolean, description: 'Payments by Pix.' },
  creditCard: { type: () => Boolean, description: 'Payments by card.' },
  kyc: { type: () => Boolean, description: 'Identity verification.' },
  yield: { type: () => Boolean, description: 'Lending: whether the deployment has markets.' },
})
@ObjectType({
  description: 'The products that can be used: enabled for the deployment and, with its key, for the tenant.',
})
export class Products {}

@Fields('answer', {
  publicClientId: { type: () => ID, description: 'The id that payments and orders name in `tenantData`.' },
  webhookUrl: {
    type: () => Url,
    description: 'Where events go when a payment or an order names no address.',
    nullable: true,
  },
  isDefault: { type: () => Boolean, description: 'Whether it stands in where none is named.' },
  previousUntil: {
    type: () => DateTime,
    description: 'Until when the webhook secret before the last rotation signs, or signed, too; null before the first.',
    nullable: true,
  },
  createdAt: { type: () => DateTime, description: 'When it was created.' },
})
@ObjectType('Integration', { description: 'One place where a tenant uses the API.' })
export class IntegrationType {}

@Fields('answer', {
  id: { type: () => ID, description: "The tenant's id." },
  name: { type: () => String, description: "The tenant's name." },
  createdAt: { type: () => DateTime, description: 'When it was created.' },
})
@ObjectType('Account', { description: 'The tenant whose key is used.' })
export class AccountType {}

@Directive('@inaccessible')
@Fields<KeyStatus>('answer', {
  keyId: { type: () => ID, description: "The key's own id." },
  tenantId: { type: () => ID, description: 'Its tenant; null for a platform key.', nullable: true },
  products: { type: () => [String], description: "The tenant's products: crypto, pix, credit_card, kyc." },
  fiats: {
    type: () => [String],
    description: 'The fiat currencies that the tenant is narrowed to; null where it is not.',
    nullable: true,
  },
  scopes: { type: () => [String], description: 'What it is narrowed to; null where it is not.', nullable: true },
  publicClientId: {
    type: () => ID,
    description: "The integration that uses it; null for the tenant's default one.",
    nullable: true,
  },
  expiresAt: { type: () => DateTime, description: 'When it expires.', nullable: true },
})
@ObjectType({ description: 'What a valid key gives access to.' })
export class KeyStanding {}
