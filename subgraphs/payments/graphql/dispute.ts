import { Arg, Ctx, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum, tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { listDisputes } from '../domain/refunds/list-disputes.js'
import type { Dispute, DisputeStatus } from '../model/dispute.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import { PaymentType } from './payment.type.js'

const DisputeStatusEnum = graphqlEnum<DisputeStatus>('DisputeStatus', 'Where a dispute stands.', {
  pending: 'The provider has not decided yet.',
  taken_back: 'The payer has the money.',
  won: 'The money came back.',
})

@Fields('answer', {
  id: { type: () => ID, description: 'Names it.' },
  paymentId: { type: () => ID, description: 'The payment.' },
  amount: { type: () => Decimal, description: 'How much is disputed.' },
  currency: { type: () => String, description: 'The currency that was charged, e.g. `BRL`.' },
  status: { type: () => DisputeStatusEnum, description: 'Where it stands.' },
  reason: { type: () => String, description: "The provider's word for why, e.g. `chargeback`." },
  createdAt: { type: () => DateTime, description: 'When it was seen.' },
  updatedAt: { type: () => DateTime, description: 'When it last changed.' },
})
@ObjectType('Dispute', {
  description: 'Money of a payment that was taken back without your order: a chargeback, or a special return of Pix.',
})
class DisputeType {}

const DisputeConnection = connectionType('Dispute', () => DisputeType, { noun: 'a dispute', order: 'the newest first' })

/** What disputes and their fields need. */
export type DisputeDeps = Pick<Stores, 'disputes'> & RequestLoaders

@Resolver(() => DisputeType)
export class DisputeResolver {
  @Query(() => DisputeConnection, { nullable: true, description: 'The disputes of all payments, newest first.' })
  disputes(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() context: SubgraphContext<DisputeDeps>,
  ): Promise<Connection<Dispute>> {
    return listDisputes(context.deps, tenantOf(context), { first, after })
  }

  @FieldResolver(() => PaymentType, { nullable: true, description: 'The payment whose money it is.' })
  async payment(
    @Root() { tenantId, paymentId }: Dispute,
    @Ctx() { deps }: SubgraphContext<DisputeDeps>,
  ): Promise<Payment | null> {
    return (await deps.paymentById(tenantId, paymentId)) ?? null
  }
}

@Resolver(() => PaymentType)
export class PaymentDisputeFields {
  @FieldResolver(() => [DisputeType], {
    nullable: true,
    description: 'What of it was taken back without your order, or may be, oldest first; none of it is a refund.',
  })
  disputes(@Root() { tenantId, id }: Payment, @Ctx() { deps }: SubgraphContext<DisputeDeps>): Promise<Dispute[]> {
    return deps.disputesOfPayment(tenantId, id)
  }
}
