import { Arg, Ctx, Directive, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import type { Connection as ConnectionOf } from '../../../kernel/connection.js'
import { Decimal } from '../../../kernel/scalars.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { PaymentConnection as Connection } from '../domain/list-payments.js'
import { tenantDataOf } from '../model/tenant-data.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'
import type { SubscriptionEntry } from '../store/subscriptions.js'
import { findSubscription } from '../subscriptions/find-subscription.js'
import { listSubscriptionPayments } from '../subscriptions/list-subscription-payments.js'
import { listSubscriptions } from '../subscriptions/list-subscriptions.js'
import { HISTORY_PAGE_SIZE, historyConnection, historyPage, WITHOUT_CURSORS } from './history-page.js'
import { PaymentConnection } from './payment-connection.type.js'
import { Order, PaymentType } from './payment.type.js'
import { TenantData } from './payment.terms.js'
import {
  PaymentSubscriptionConnection,
  PaymentSubscriptionFilterInput,
  SubscriptionEventConnection,
  SubscriptionEventType,
  SubscriptionType,
  type ShownEntry,
} from './subscription.type.js'

type SubscriptionConnection = ConnectionOf<Subscription>

/** What subscriptions and their fields need. */
export type SubscriptionFieldsDeps = RequestLoaders & Pick<Stores, 'subscriptions'>

@Resolver(() => SubscriptionType)
export class SubscriptionResolver {
  @Query(() => SubscriptionType, { nullable: true, description: 'A subscription by its id.' })
  paymentSubscription(
    @Arg('id', () => ID, { description: 'Of the subscription.' }) id: string,
    @Ctx() context: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<Subscription> {
    return findSubscription(context.deps, tenantOf(context), { id })
  }

  @Query(() => PaymentSubscriptionConnection, { nullable: true, description: 'The subscriptions, newest first.' })
  paymentSubscriptions(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('filter', () => PaymentSubscriptionFilterInput, { nullable: true, description: 'Which subscriptions.' })
    filter: PaymentSubscriptionFilterInput | null,
    @Ctx() context: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<SubscriptionConnection> {
    return listSubscriptions(context.deps, tenantOf(context), { first, after, filter })
  }

  @Directive('@inaccessible')
  @Query(() => SubscriptionType, { nullable: true, description: 'A subscription as it was after one of its events.' })
  async subscriptionAt(
    @Arg('id', () => ID) id: string,
    @Arg('sequence', () => Int) sequence: number,
    @Ctx() context: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<Subscription | null> {
    return (await context.deps.subscriptions.findAt(tenantOf(context).id, id, sequence)) ?? null
  }

  @FieldResolver(() => [SubscriptionEventType], {
    nullable: true,
    description: 'What happened to it, oldest first.',
    deprecationReason: WITHOUT_CURSORS,
  })
  async history(
    @Root() { tenantId, id }: Subscription,
    @Arg('first', () => Int, { defaultValue: HISTORY_PAGE_SIZE, description: '1 to 100, by default 20.' })
    first: number,
    @Arg('after', () => Int, { nullable: true, description: 'The sequence to go on behind.' }) after: number | null,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<ShownEntry[]> {
    return (await deps.subscriptionHistoryById(tenantId, id, historyPage(first, after))).map(shown)
  }

  @FieldResolver(() => SubscriptionEventConnection, {
    nullable: true,
    description: 'What happened to it, oldest first.',
  })
  events(
    @Root() { tenantId, id }: Subscription,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<ConnectionOf<ShownEntry>> {
    return historyConnection({ first, after }, async (page) =>
      (await deps.subscriptionHistoryById(tenantId, id, page)).map(shown),
    )
  }

  @FieldResolver(() => Decimal, {
    nullable: true,
    description: 'What a period costs from the next one on, in the currency of the first payment.',
  })
  async amountFrom(
    @Root() { tenantId, firstPaymentId, amountFrom }: Subscription,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<string | null> {
    return amountFrom ?? (await deps.paymentById(tenantId, firstPaymentId))?.amountFrom ?? null
  }

  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      'Whether there is a card that can be charged without its payer: none where it was paid by Pix or a wallet.',
  })
  async hasCardOnFile(
    @Root() { tenantId, meansPaymentId }: Subscription,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<boolean> {
    const chargeId = (await deps.paymentById(tenantId, meansPaymentId))?.chargeId
    return chargeId != null && (await deps.chargeById(tenantId, chargeId))?.cardOnFile != null
  }

  @FieldResolver(() => Boolean)
  awaitsConsent(@Root() { consentFrom }: Subscription): boolean {
    return consentFrom != null
  }

  @FieldResolver(() => PaymentType, { nullable: true, description: 'The payment that began it.' })
  async firstPayment(
    @Root() { tenantId, firstPaymentId }: Subscription,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<Payment | null> {
    return (await deps.paymentById(tenantId, firstPaymentId)) ?? null
  }

  @FieldResolver(() => PaymentType, { nullable: true, description: 'The payment that the last event was about.' })
  async payment(
    @Root() { tenantId, paymentId }: Subscription,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<Payment | null> {
    return paymentId == null ? null : ((await deps.paymentById(tenantId, paymentId)) ?? null)
  }

  @FieldResolver(() => PaymentConnection, {
    nullable: true,
    description: 'Its payments, newest first: one for each period that was due, and the one that began it.',
  })
  payments(
    @Root() subscription: Subscription,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<Connection> {
    return listSubscriptionPayments(deps, subscription, { first, after })
  }

  @FieldResolver(() => Order, {
    nullable: true,
    description: 'The order that it follows; null where its first payment had none.',
  })
  order(@Root() { orderCode }: Subscription): Order | null {
    return orderCode == null ? null : { id: orderCode }
  }

  @FieldResolver(() => TenantData, { nullable: true, description: 'The integration that it belongs to.' })
  async tenantData(
    @Root() { tenantId, firstPaymentId }: Subscription,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<TenantData | null> {
    return tenantDataOf((await deps.paymentById(tenantId, firstPaymentId)) ?? {})
  }
}

@Resolver(() => PaymentType)
export class PaymentSubscriptionField {
  @FieldResolver(() => SubscriptionType, {
    nullable: true,
    description: 'The subscription that it began, or whose period it pays.',
  })
  async subscription(
    @Root() { tenantId, id, gatewayMethod }: Payment,
    @Ctx() { deps }: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<Subscription | null> {
    return gatewayMethod === 'subs' ? ((await deps.subscriptionOfPayment(tenantId, id)) ?? null) : null
  }
}

@Resolver(() => Order)
export class OrderSubscriptionsField {
  @FieldResolver(() => PaymentSubscriptionConnection, {
    nullable: true,
    description: 'The subscriptions that began with a payment of the order, newest first.',
  })
  subscriptions(
    @Root() order: Order,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() context: SubgraphContext<SubscriptionFieldsDeps>,
  ): Promise<SubscriptionConnection> {
    return listSubscriptions(context.deps, tenantOf(context), { filter: { orderCode: order.id }, first, after })
  }
}

function shown(entry: SubscriptionEntry): ShownEntry {
  return { ...entry, kind: entry.type }
}
