import { Directive, InputType, ObjectType } from 'type-graphql'
import { DateTime } from '../../../../kernel/scalars.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import type { PaymentReturn } from '../sign-return.js'
import type { Branding } from '../store/branding.js'
import type { BrandingInput } from '../update-branding.js'

@Fields<Branding>('answer', {
  displayName: {
    type: () => String,
    nullable: true,
    description: "The name that payers read; null for the tenant's own.",
  },
  accentColor: { type: () => String, nullable: true, description: 'The colour of buttons and links, such as #1f4fd8.' },
  logoVersion: {
    type: () => String,
    nullable: true,
    description: 'Another one for each logo; null where there is none.',
  },
  embedOrigins: {
    type: () => [String],
    description: 'The origins of the sites that may show a payment page in a frame.',
  },
})
@ObjectType('Branding', { description: "How a tenant's payment pages look, and which sites may show them in a frame." })
export class BrandingType {}

@Fields<BrandingInput>('input', {
  displayName: {
    type: () => String,
    nullable: true,
    description: 'The name that payers read, of at most 60 characters.',
  },
  accentColor: {
    type: () => String,
    nullable: true,
    description:
      'The colour of buttons and links, such as #1f4fd8. Pages make it darker or lighter where it cannot be read.',
  },
  logo: {
    type: () => String,
    nullable: true,
    description: 'A PNG, JPEG or WebP picture in base64, of at most 65,536 bytes; square is best.',
  },
  embedOrigins: {
    type: () => [String],
    nullable: true,
    description:
      'The origins of the sites that may show a payment page in a frame, such as https://shop.example; 20 at most.',
  },
})
@InputType({ description: 'What is to change: what is left out stays, null takes it away.' })
export class UpdateBrandingInput {}

@Directive('@inaccessible')
@Fields('answer', {
  base64: { type: () => String, description: 'In base64.' },
  type: { type: () => String, description: 'What it is, such as image/png.' },
})
@ObjectType({ description: 'A picture.' })
export class BrandingLogo {}

@Directive('@inaccessible')
@Fields<PaymentReturn>('input', {
  publicClientId: {
    type: () => String,
    nullable: true,
    description: 'The integration whose secret signs; null for the default one.',
  },
  paymentId: { type: () => String, description: 'The payment.' },
  status: { type: () => String, description: 'Where it stands.' },
  at: { type: () => DateTime, description: 'Since when.' },
})
@InputType({ description: 'What a payer brings back to the shop.' })
export class PaymentReturnInput {}
