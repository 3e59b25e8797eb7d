import { ObjectType } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { ShownCard } from '../rails/processor-adapter.js'

@Fields<ShownCard>('answer', {
  brand: { type: () => String, description: 'The brand, e.g. `Visa`.', nullable: true },
  lastFourDigits: { type: () => String, description: 'The last four digits.' },
  holderName: { type: () => String, description: 'The name on it.', nullable: true },
})
@ObjectType({ description: 'What a receipt shows of the card that pays a payment.' })
export class PaymentCard {}
