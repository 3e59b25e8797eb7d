import { Directive, Field, ID, InputType, ObjectType } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { RefundReason, RefundStatus } from '../model/refund.js'
import { Node } from './node.type.js'
import { TenantData } from './payment.terms.js'

export const RefundStatusEnum = graphqlEnum<RefundStatus>('RefundStatus', 'Where a refund stands.', {
  pending: 'It is on its way to the payer.',
  succeeded: 'The payer has it.',
  failed: 'The provider did not give it back; another one may be made.',
})
const RefundReasonEnum = graphqlEnum<RefundReason>('RefundReason', 'Why a payer is refunded.', {
  requested_by_customer: 'The payer asked for it.',
  duplicate: 'The payer paid twice.',
  fraudulent: 'Somebody else paid in the name of the payer.',
  other: 'For another reason.',
})

@Directive('@key(fields: "id")')
@ObjectType('Refund', {
  description: 'A part of a payment, or all of it, that goes back to its payer.',
  implements: Node,
})
export class RefundType {
  @Field(() => ID, { description: 'The id of the refund.' })
  id!: string

  @Field(() => ID, { description: 'The payment.' })
  paymentId!: string

  @Field(() => Decimal, { description: 'How much the payer gets back.' })
  amount!: string

  @Field(() => String, { description: 'The currency that was charged, e.g. `BRL`.' })
  currency!: string

  @Field(() => RefundStatusEnum, { description: 'Where it stands.' })
  status!: RefundStatus

  @Field(() => RefundReasonEnum, {
    nullable: true,
    description: "Why; null where nobody said it, as for one that was made in the provider's dashboard.",
  })
  reason!: RefundReason | null

  @Field(() => TenantData, { nullable: true, description: 'The integration that its payment belongs to.' })
  tenantData!: TenantData | null

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date
}

@InputType({ description: 'A refund to be made.' })
export class RefundPaymentInput {
  @Field(() => Decimal, {
    nullable: true,
    description: 'In the currency that was charged, with its decimals; by default what is left of the payment.',
  })
  amount?: string

  @Field(() => RefundReasonEnum, { nullable: true, description: 'Why.' })
  reason?: RefundReason
}
