import { Directive, Field, InputType, ObjectType } from 'type-graphql'
import { DateTime } from '../../../../kernel/scalars.js'
import type { PaymentReturn } from '../sign-return.js'
import type { BrandingInput } from '../update-branding.js'

@ObjectType('Branding', { description: "How a tenant's payment pages look, and which sites may show them in a frame." })
export class BrandingType {
  @Field(() => String, { nullable: true, description: "The name that payers read; null for the tenant's own." })
  displayName!: string | null
  @Field(() => String, { nullable: true, description: 'The colour of buttons and links, such as #1f4fd8.' })
  accentColor!: string | null
  @Field(() => String, { nullable: true, description: 'Another one for each logo; null where there is none.' })
  logoVersion!: string | null
  @Field(() => [String], { description: 'The origins of the sites that may show a payment page in a frame.' })
  embedOrigins!: readonly string[]
}

@InputType({ description: 'What is to change: what is left out stays, null takes it away.' })
export class UpdateBrandingInput implements BrandingInput {
  @Field(() => String, { nullable: true, description: 'The name that payers read, of at most 60 characters.' })
  displayName?: string | null
  @Field(() => String, {
    nullable: true,
    description:
      'The colour of buttons and links, such as #1f4fd8. Pages make it darker or lighter where it cannot be read.',
  })
  accentColor?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'A PNG, JPEG or WebP picture in base64, of at most 65,536 bytes; square is best.',
  })
  logo?: string | null
  @Field(() => [String], {
    nullable: true,
    description:
      'The origins of the sites that may show a payment page in a frame, such as https://shop.example; 20 at most.',
  })
  embedOrigins?: string[] | null
}

@Directive('@inaccessible')
@ObjectType({ description: 'A picture.' })
export class BrandingLogo {
  @Field(() => String, { description: 'In base64.' })
  base64!: string
  @Field(() => String, { description: 'What it is, such as image/png.' })
  type!: string
}

@Directive('@inaccessible')
@InputType({ description: 'What a payer brings back to the shop.' })
export class PaymentReturnInput implements PaymentReturn {
  @Field(() => String, { nullable: true, description: 'The integration whose secret signs; null for the default one.' })
  publicClientId!: string | null
  @Field(() => String, { description: 'The payment.' })
  paymentId!: string
  @Field(() => String, { description: 'Where it stands.' })
  status!: string
  @Field(() => DateTime, { description: 'Since when.' })
  at!: string
}
