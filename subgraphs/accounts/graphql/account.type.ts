import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { DateTime, Url } from '../../../kernel/scalars.js'

@ObjectType({
  description: 'The products that can be used: enabled for the deployment and, with its key, for the tenant.',
})
export class Products {
  @Field(() => Boolean, { description: 'Payments by crypto wallets.' })
  crypto!: boolean

  @Field(() => Boolean, { description: 'Payments by Pix.' })
  pix!: boolean

  @Field(() => Boolean, { description: 'Payments by card.' })
  creditCard!: boolean

  @Field(() => Boolean, { description: 'Identity verification.' })
  kyc!: boolean
}

@ObjectType('Integration', { description: 'One place where a tenant uses the API.' })
export class IntegrationType {
  @Field(() => ID, { description: 'The id that payments and orders name in `tenantData`.' })
  publicClientId!: string

  @Field(() => Url, { nullable: true, description: 'Where events go when a payment or an order names no address.' })
  webhookUrl!: string | null

  @Field(() => Boolean, { description: 'Whether it stands in where none is named.' })
  isDefault!: boolean

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date
}

@ObjectType('Account', { description: 'The tenant whose key is used.' })
export class AccountType {
  @Field(() => ID, { description: "The tenant's id." })
  id!: string

  @Field(() => String, { description: "The tenant's name." })
  name!: string

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date
}

@Directive('@inaccessible')
@ObjectType({ description: 'What a valid key gives access to.' })
export class KeyStanding {
  @Field(() => ID, { description: "The key's own id." })
  keyId!: string

  @Field(() => ID, { nullable: true, description: 'Its tenant; null for a platform key.' })
  tenantId!: string | null

  @Field(() => [String], { description: "The tenant's products: crypto, pix, credit_card, kyc." })
  products!: readonly string[]

  @Field(() => DateTime, { nullable: true, description: 'When it expires.' })
  expiresAt!: Date | null
}
