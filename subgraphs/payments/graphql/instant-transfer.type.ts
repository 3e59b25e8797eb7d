import { Field, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'

@ObjectType({ description: 'How long an instant transfer can be made.' })
export class InstantTransferCalendar {
  @Field(() => DateTime, { description: 'When the charge was created.' })
  criacao!: Date

  @Field(() => Int, { description: 'How long it can be paid from then, in seconds.' })
  expiracao!: number
}

@ObjectType({ description: 'What a payer needs to pay by instant transfer (Pix).' })
export class InstantTransfer {
  @Field(() => String, { description: "The provider's status of the charge, e.g. `ATIVA`." })
  status!: string

  @Field(() => String, { description: 'The Pix key that receives.' })
  pixKey!: string

  @Field(() => String, { description: 'The id of the charge at the provider.' })
  txid!: string

  @Field(() => String, { description: 'The BR Code, to be copied and pasted.' })
  pixCopiaECola!: string

  @Field(() => String, { description: 'The BR Code as a QR code: a PNG in a data URL.' })
  pixQrCodeDataUrl!: string

  @Field(() => InstantTransferCalendar, { description: 'How long it can be paid.' })
  calendar!: InstantTransferCalendar

  @Field(() => String, { description: 'Our own id of the charge.' })
  code!: string
}
