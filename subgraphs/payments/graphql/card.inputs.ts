import { Field, InputType, Int } from 'type-graphql'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { DocumentType } from '../model/card-input.js'

export const DocumentTypeEnum = graphqlEnum<DocumentType>('DocumentType', 'The kind of a document.', {
  PASSPORT: 'A passport of any country.',
  CPF: 'The Brazilian tax id of a person.',
  CNPJ: 'The Brazilian tax id of a company.',
})

@InputType({ description: 'A telephone.' })
export class PhoneInput {
  @Field(() => String, { description: 'E.g. `55`.' })
  countryCode!: string

  @Field(() => String, { description: 'E.g. `11`.' })
  areaCode!: string

  @Field(() => String, { description: 'The number in that area.' })
  number!: string
}

@InputType({ description: 'The address of statements.' })
export class CardAddressInput {
  @Field(() => String, { description: 'ISO 3166-1 alpha-2, e.g. `BR`.' })
  country!: string

  @Field(() => String, { description: 'The state, e.g. `SP`.' })
  state!: string

  @Field(() => String, { description: 'The city.' })
  city!: string

  @Field(() => String, { description: 'The neighborhood.' })
  neighborhood!: string

  @Field(() => String, { description: 'The street.' })
  street!: string

  @Field(() => String, { description: 'The number in the street.' })
  streetNumber!: string

  @Field(() => String, { description: 'The postal code, digits only.' })
  zipcode!: string

  @Field(() => String, { nullable: true, description: 'Apartment, floor, …' })
  complement?: string
}

/** What every card has, whether it pays or becomes a token. */
@InputType()
export class CardFields {
  @Field(() => String, { description: 'The number.' })
  number!: string

  @Field(() => String, { description: 'The name on it.' })
  holderName!: string

  @Field(() => String, { description: "The holder's tax id or passport number." })
  holderDocument!: string

  @Field(() => String, { description: 'The security code.' })
  cvv!: string

  @Field(() => Int, { description: 'The month in which it expires, 1 to 12.' })
  expMonth!: number

  @Field(() => Int, { description: 'The year in which it expires, two or four digits.' })
  expYear!: number
}

@InputType({ description: 'A card. It lives in memory for the one call to the processor.' })
export class CardInput extends CardFields {
  @Field(() => String, { description: 'The brand, e.g. `Visa`.' })
  brand!: string
}

@InputType({ description: 'How a card pays: by itself or by a token.' })
export class CardDataInput {
  @Field(() => Int, { description: 'Only 1 is supported.' })
  installments!: number

  @Field(() => String, { description: "What the payer's statement shows; acquirers cut it to 13 characters." })
  statementDescriptor!: string

  @Field(() => String, { nullable: true, description: 'A token of the card, in place of the card.' })
  cardToken?: string

  @Field(() => CardInput, { nullable: true, description: 'The card, where there is no token.' })
  card?: CardInput

  @Field(() => CardAddressInput, { description: 'The billing address.' })
  address!: CardAddressInput

  @Field(() => String, {
    nullable: true,
    description:
      'Where the payer comes back to from 3-D Secure, https; then the issuer may ask for it, see `challengeUrl`. Without it none is asked for.',
  })
  authenticationReturnUrl?: string
}
