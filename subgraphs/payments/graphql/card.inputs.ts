import { Field, InputType, Int } from 'type-graphql'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { CardAddress, CardDataInput as CardData, DocumentType, Phone, RawCard } from '../model/card-input.js'

export const DocumentTypeEnum = graphqlEnum<DocumentType>('DocumentType', 'The kind of a document.', {
  PASSPORT: 'A passport of any country.',
  CPF: 'The Brazilian tax id of a person.',
  CNPJ: 'The Brazilian tax id of a company.',
})

@Fields<Phone>('input', {
  countryCode: { type: () => String, description: 'E.g. `55`.' },
  areaCode: { type: () => String, description: 'E.g. `11`.' },
  number: { type: () => String, description: 'The number in that area.' },
})
@InputType({ description: 'A telephone.' })
export class PhoneInput {}

@Fields<CardAddress>('input', {
  country: { type: () => String, description: 'ISO 3166-1 alpha-2, e.g. `BR`.' },
  state: { type: () => String, description: 'The state, e.g. `SP`.' },
  city: { type: () => String, description: 'The city.' },
  neighborhood: { type: () => String, description: 'The neighborhood.' },
  street: { type: () => String, description: 'The street.' },
  streetNumber: { type: () => String, description: 'The number in the street.' },
  zipcode: { type: () => String, description: 'The postal code, digits only.' },
  complement: { type: () => String, nullable: true, description: 'Apartment, floor, …' },
})
@InputType({ description: 'The address of statements.' })
export class CardAddressInput {}

/** What every card has, whether it pays or becomes a token. */
@Fields<Omit<RawCard, 'brand'>>('input', {
  number: { type: () => String, description: 'The number.' },
  holderName: { type: () => String, description: 'The name on it.' },
  holderDocument: { type: () => String, description: "The holder's tax id or passport number." },
  cvv: { type: () => String, description: 'The security code.' },
  expMonth: { type: () => Int, description: 'The month in which it expires, 1 to 12.' },
  expYear: { type: () => Int, description: 'The year in which it expires, two or four digits.' },
})
@InputType()
export class CardFields {}

@InputType({ description: 'A card. It lives in memory for the one call to the processor.' })
export class CardInput extends CardFields {
  @Field(() => String, { description: 'The brand, e.g. `Visa`.' })
  brand!: string
}

@Fields<CardData>('input', {
  installments: { type: () => Int, description: 'Only 1 is supported.' },
  statementDescriptor: {
    type: () => String,
    description: "What the payer's statement shows; acquirers cut it to 13 characters.",
  },
  cardToken: { type: () => String, nullable: true, description: 'A token of the card, in place of the card.' },
  card: { type: () => CardInput, nullable: true, description: 'The card, where there is no token.' },
  address: { type: () => CardAddressInput, description: 'The billing address.' },
  authenticationReturnUrl: {
    type: () => String,
    nullable: true,
    description:
      'Where the payer comes back to from 3-D Secure, https; then the issuer may ask for it, see `challengeUrl`. Without it none is asked for.',
  },
})
@InputType({ description: 'How a card pays: by itself or by a token.' })
export class CardDataInput {}
