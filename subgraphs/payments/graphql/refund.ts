import { Arg, Ctx, Directive, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { reauthorizedTenantOf, type ReauthorizeDeps } from '../../../kernel/reauthorize.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { findRefund, findRefundAt, type FindRefundDeps } from '../domain/refunds/find-refund.js'
import { listRefunds } from '../domain/refunds/list-refunds.js'
import {
  refundPayment,
  type RefundPaymentDeps,
  type RefundPaymentInput as Input,
} from '../domain/refunds/refund-payment.js'
import type { PaymentRefund } from '../model/refund.js'
import { tenantDataOf } from '../model/tenant-data.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import type { TenantData } from './payment.terms.js'
import { PaymentType } from './payment.type.js'
import { RefundPaymentInput, RefundType } from './refund.type.js'

/** What refunds and their fields need. */
export type RefundFieldsDeps = FindRefundDeps & ReauthorizeDeps & RefundPaymentDeps & RequestLoaders

const RefundConnection = connectionType('Refund', () => RefundType, { noun: 'a refund', order: 'the newest first' })

@Resolver(() => RefundType)
export class RefundResolver {
  @Query(() => RefundType, { nullable: true, description: 'A refund by its id.' })
  refund(
    @Arg('id', () => ID, { description: 'Of the refund.' }) id: string,
    @Ctx() context: SubgraphContext<RefundFieldsDeps>,
  ): Promise<PaymentRefund> {
    return findRefund(context.deps, tenantOf(context), { id })
  }

  @Query(() => RefundConnection, { nullable: true, description: 'The refunds of all payments, newest first.' })
  refunds(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() context: SubgraphContext<RefundFieldsDeps>,
  ): Promise<Connection<PaymentRefund>> {
    return listRefunds(context.deps, tenantOf(context), { first, after })
  }

  @Directive('@inaccessible')
  @Query(() => RefundType, { nullable: true, description: 'A refund as it was after one of its events.' })
  async refundAt(
    @Arg('id', () => ID) id: string,
    @Arg('sequence', () => Int) sequence: number,
    @Ctx() context: SubgraphContext<RefundFieldsDeps>,
  ): Promise<PaymentRefund | null> {
    return (await findRefundAt(context.deps, tenantOf(context), { id, sequence })) ?? null
  }

  @Mutation(() => RefundType, {
    description:
      'Refunds a payment that was charged by Pix or card, or a part of it. It is pending until the provider says more.',
  })
  refundPayment(
    @Arg('id', () => ID, { description: 'The payment.' }) id: string,
    @Arg('input', () => RefundPaymentInput, { nullable: true, description: 'How much, and why.' })
    input: Input | null,
    @Ctx() context: SubgraphContext<RefundFieldsDeps>,
  ): Promise<PaymentRefund> {
    return refundPayment(context.deps, reauthorizedTenantOf(context, 'refundPayment'), { ...input, id })
  }

  @FieldResolver(() => PaymentType, { nullable: true, description: 'The payment that it gives back.' })
  async payment(
    @Root() { tenantId, paymentId }: PaymentRefund,
    @Ctx() { deps }: SubgraphContext<RefundFieldsDeps>,
  ): Promise<Payment | null> {
    return (await deps.paymentById(tenantId, paymentId)) ?? null
  }

  @FieldResolver(() => Boolean, {
    description: "Whether it was made in the provider's dashboard, and ordered by nobody here.",
  })
  isMadeAtProvider(@Root() refund: PaymentRefund): boolean {
    return refund.isMadeAtProvider ?? false
  }

  @FieldResolver()
  async tenantData(
    @Root() { tenantId, paymentId }: PaymentRefund,
    @Ctx() { deps }: SubgraphContext<RefundFieldsDeps>,
  ): Promise<TenantData | null> {
    return tenantDataOf((await deps.paymentById(tenantId, paymentId)) ?? {})
  }
}

@Resolver(() => PaymentType)
export class PaymentRefundFields {
  @FieldResolver(() => [RefundType], {
    nullable: true,
    description: 'What went back to its payer, or is on its way, oldest first.',
  })
  refunds(
    @Root() { tenantId, id }: Payment,
    @Ctx() { deps }: SubgraphContext<RefundFieldsDeps>,
  ): Promise<PaymentRefund[]> {
    return deps.refundsOfPayment(tenantId, id)
  }

  @FieldResolver()
  refundedAmount(@Root() { refundedAmount }: Payment): string {
    return refundedAmount ?? '0'
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The currency that its payer was charged, which `refundedAmount` and an amount to refund are in; null where no provider was to charge him.',
  })
  async refundedCurrency(
    @Root() { tenantId, chargeId }: Payment,
    @Ctx() { deps }: SubgraphContext<RefundFieldsDeps>,
  ): Promise<string | null> {
    return chargeId == null ? null : ((await deps.chargeById(tenantId, chargeId))?.currency ?? null)
  }
}
