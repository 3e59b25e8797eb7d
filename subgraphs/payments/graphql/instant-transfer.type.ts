import { Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { ShownCharge } from '../rails/processor-adapter.js'

@Fields<ShownCharge['calendar']>('answer', {
  criacao: { type: () => DateTime, description: 'When the charge was created.' },
  expiracao: { type: () => Int, description: 'How long it can be paid from then, in seconds.' },
})
@ObjectType({ description: 'How long an instant transfer can be made.' })
export class InstantTransferCalendar {}

@Fields<ShownCharge & { code: string }>('answer', {
  status: { type: () => String, description: "The provider's status of the charge, e.g. `ATIVA`." },
  pixKey: { type: () => String, description: 'The Pix key that receives.' },
  txid: { type: () => String, description: 'The id of the charge at the provider.' },
  pixCopiaECola: { type: () => String, description: 'The BR Code, to be copied and pasted.' },
  pixQrCodeDataUrl: { type: () => String, description: 'The BR Code as a QR code: a PNG in a data URL.' },
  calendar: { type: () => InstantTransferCalendar, description: 'How long it can be paid.' },
  code: { type: () => String, description: 'Our own id of the charge.' },
})
@ObjectType({ description: 'What a payer needs to pay by instant transfer (Pix).' })
export class InstantTransfer {}
