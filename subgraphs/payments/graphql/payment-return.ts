import { Arg, Ctx, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum, tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { listPaymentReturns } from '../domain/refunds/list-payment-returns.js'
import type { PaymentReturn, PaymentReturnStatus } from '../model/payment-return.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import { PaymentType } from './payment.type.js'

const PaymentReturnStatusEnum = graphqlEnum<PaymentReturnStatus>(
  'PaymentReturnStatus',
  'Where money stands that goes back by itself.',
  {
    pending: 'It is to go back, or on its way.',
    succeeded: 'Who paid has it.',
    failed: 'The provider has not given it back; an operator is told, unless all of it had gone back there before.',
  },
)

const PaymentReturnReasonEnum = graphqlEnum<PaymentReturn['reason']>(
  'PaymentReturnReason',
  'Why money was not taken for its payment.',
  {
    amount_mismatch: 'It was another amount than the charge.',
    paid_late: 'It came when it was too late.',
    paid_twice: 'The payment was paid already.',
    charge_replaced: 'It came for a charge that another one has replaced.',
    payer_mismatch: 'Somebody else has paid than who had to.',
    other: 'For a reason that only an older release knew.',
  },
)

@Fields<Omit<PaymentReturn, 'tenantId'>>('answer', {
  id: { type: () => ID, description: 'Names it.' },
  paymentId: { type: () => ID, description: 'The payment that it came for.' },
  amount: { type: () => Decimal, description: 'How much goes back.' },
  currency: { type: () => String, description: 'The currency that was charged, e.g. `BRL`.' },
  status: { type: () => PaymentReturnStatusEnum, description: 'Where it stands.' },
  reason: { type: () => PaymentReturnReasonEnum, description: 'Why it was not taken.' },
  receiptId: {
    type: () => String,
    description: "The provider's id of the money that came, e.g. the end-to-end id of a Pix.",
  },
  reference: {
    type: () => String,
    nullable: true,
    description: 'The id of the transfer back at the provider; null before the provider was asked for it.',
  },
  createdAt: { type: () => DateTime, description: 'When it was decided that it goes back.' },
  updatedAt: { type: () => DateTime, description: 'When it last changed.' },
})
@ObjectType('PaymentReturn', {
  description: 'Money that came for a payment, was not taken and goes back to who paid it: by itself, and no refund.',
})
class PaymentReturnType {}

const PaymentReturnConnection = connectionType('PaymentReturn', () => PaymentReturnType, {
  noun: 'money that was not taken',
  order: 'the newest first',
})

/** What returns and their fields need. */
export type PaymentReturnDeps = Pick<Stores, 'paymentReturns'> & RequestLoaders

@Resolver(() => PaymentReturnType)
export class PaymentReturnResolver {
  @Query(() => PaymentReturnConnection, {
    nullable: true,
    description:
      'What came for payments, was not taken and goes back: paid twice, too late, or otherwise than asked; newest first.',
  })
  paymentReturns(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() context: SubgraphContext<PaymentReturnDeps>,
  ): Promise<Connection<PaymentReturn>> {
    return listPaymentReturns(context.deps, tenantOf(context), { first, after })
  }

  @FieldResolver(() => PaymentType, { nullable: true, description: 'The payment that it came for.' })
  async payment(
    @Root() { tenantId, paymentId }: PaymentReturn,
    @Ctx() { deps }: SubgraphContext<PaymentReturnDeps>,
  ): Promise<Payment | null> {
    return (await deps.paymentById(tenantId, paymentId)) ?? null
  }
}

@Resolver(() => PaymentType)
export class PaymentReturnFields {
  @FieldResolver(() => [PaymentReturnType], {
    nullable: true,
    description: 'What came for it, was not taken and goes back, oldest first; none of it is a refund.',
  })
  returns(
    @Root() { tenantId, id }: Payment,
    @Ctx() { deps }: SubgraphContext<PaymentReturnDeps>,
  ): Promise<PaymentReturn[]> {
    return deps.returnsOfPayment(tenantId, id)
  }
}
