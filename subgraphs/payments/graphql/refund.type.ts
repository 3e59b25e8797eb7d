import { Directive, ID, InputType, ObjectType } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { RefundPaymentInput as Input } from '../domain/refunds/refund-payment.js'
import type { PaymentRefund, RefundReason, RefundStatus } from '../model/refund.js'
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
@Fields<Omit<PaymentRefund, 'tenantId' | 'isReplaced' | 'isMadeAtProvider'> & Record<'tenantData', unknown>>('answer', {
  id: { type: () => ID, description: 'The id of the refund.' },
  paymentId: { type: () => ID, description: 'The payment.' },
  amount: { type: () => Decimal, description: 'How much the payer gets back.' },
  currency: { type: () => String, description: 'The currency that was charged, e.g. `BRL`.' },
  status: { type: () => RefundStatusEnum, description: 'Where it stands.' },
  reason: {
    type: () => RefundReasonEnum,
    nullable: true,
    description: "Why; null where nobody said it, as for one that was made in the provider's dashboard.",
  },
  tenantData: { type: () => TenantData, nullable: true, description: 'The integration that its payment belongs to.' },
  createdAt: { type: () => DateTime, description: 'When it was made.' },
  updatedAt: { type: () => DateTime, description: 'When it last changed.' },
})
@ObjectType('Refund', {
  description: 'A part of a payment, or all of it, that goes back to its payer.',
  implements: Node,
})
export class RefundType {}

@Fields<Input>('input', {
  amount: {
    type: () => Decimal,
    nullable: true,
    description: 'In the currency that was charged, with its decimals; by default what is left of the payment.',
  },
  reason: { type: () => RefundReasonEnum, nullable: true, description: 'Why.' },
})
@InputType({ description: 'A refund to be made.' })
export class RefundPaymentInput {}
