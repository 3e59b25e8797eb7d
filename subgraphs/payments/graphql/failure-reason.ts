import { FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import {
  FAILURE_REASONS,
  failureReason,
  type FailureReason,
  type PaymentFailure as Failure,
} from '../model/payment-failure.js'
import { PaymentStatusEnum } from './payment.enums.js'

export const PaymentFailureReasonEnum = graphqlEnum<FailureReason | 'other'>(
  'PaymentFailureReason',
  'Why a payment failed, or a card was refused; REST says `card_declined` for `CARD_DECLINED`.',
  { ...FAILURE_REASONS, other: 'Another one, which only an older release knew.' },
)

@Fields<Failure>('answer', {
  code: {
    type: () => String,
    description: 'A stable code.',
    deprecationReason: 'A closed set is an enum: use `reason`. It stays for as long as REST shows it.',
  },
  status: { type: () => PaymentStatusEnum, description: 'The status the payment took.' },
  message: { type: () => String, description: 'What happened, for people.' },
  details: { type: () => String, nullable: true, description: 'More, where the system behind told it.' },
})
@ObjectType({ description: 'Why a payment is in ERROR, or a card was refused.' })
export class PaymentFailure {}

@Resolver(() => PaymentFailure)
export class PaymentFailureFields {
  @FieldResolver(() => PaymentFailureReasonEnum, { description: 'Why.' })
  reason(@Root() { code }: Failure): FailureReason | 'other' {
    return reasonOf(code)
  }
}

/** What a code says in the graph. */
export function reasonOf(code: string): FailureReason | 'other' {
  return failureReason(code) ?? 'other'
}
