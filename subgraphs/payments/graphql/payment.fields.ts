import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Ctx, FieldResolver, ID, Info, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { DateTime, Decimal, Url } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { showCharge } from '../domain/charges/show-charge.js'
import { listPayments, type ListPaymentsDeps, type PaymentConnection as Connection } from '../domain/list-payments.js'
import type { PaymentSort } from '../model/payment-sort.js'
import { tenantDataOf } from '../model/tenant-data.js'
import { railOfType, type Rails } from '../rails/find-rail.js'
import type { ShownCard } from '../rails/processor-adapter.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { PaymentFilter } from '../store/payment-filter.js'
import type { ListedPayment, Payment } from '../store/payment.entity.js'
import type { Quote } from '../store/quotes.js'
import type { Stores } from '../store/stores.js'
import { listedProperties } from './listed-fields.js'
import { InstantTransfer } from './instant-transfer.type.js'
import { PaymentCard } from './payment-card.type.js'
import { PaymentConnection } from './payment-connection.type.js'
import { OrderPaymentFilterInput, PaymentSortInput } from './payment-filter.inputs.js'
import type { TenantData } from './payment.terms.js'
import { Order, PaymentType } from './payment.type.js'

/** The links to the hosted payment page. */
export interface SessionLinks {
  /** A signed link. */
  sessionLink: (payment: Pick<Payment, 'id' | 'tenantId' | 'createdAt'>) => string
}

/** What a payment's fields need. */
export type PaymentFieldsDeps = ListPaymentsDeps & Rails & RequestLoaders & SessionLinks & Pick<Stores, 'payments'>

@Fields<Omit<Quote, 'tenantId' | 'paymentId' | 'fromCurrencySymbol' | 'toCurrencySymbol'>>('answer', {
  id: { type: () => ID, description: 'The id of the quote.' },
  rate: { type: () => Decimal, description: 'How much of the token one unit of the fiat currency buys at the market.' },
  amountFrom: { type: () => Decimal, description: 'The amount in the fiat currency.' },
  amountTo: {
    type: () => Decimal,
    description: 'The amount of the token that the receivers get: what fee and spread leave, at the rate.',
  },
  feeAmount: {
    type: () => Decimal,
    description: 'What the platform takes first, in the currency that the payer is charged.',
  },
  spreadAmount: { type: () => Decimal, description: 'What it takes by a rate below the market, in the same currency.' },
  source: { type: () => String, description: 'Whose price it is.' },
  createdAt: { type: () => DateTime, description: 'Since when it is locked.' },
  expiresAt: { type: () => DateTime, description: 'Until when it holds.' },
})
@ObjectType('Quote', { description: 'The price of a payment, locked for a while.' })
export class QuoteType {}

@Resolver(() => PaymentType)
export class PaymentFields {
  @FieldResolver(() => String)
  sessionPayment(@Root() payment: ListedPayment, @Ctx() context: SubgraphContext<PaymentFieldsDeps>): string {
    return context.deps.sessionLink(payment)
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The hash of the transaction on chain after a successful execution.',
  })
  transactionHash(@Root() { tidHash }: ListedPayment): string | null {
    return tidHash ?? null
  }

  @FieldResolver(() => Order, { nullable: true, description: 'The order it was registered from.' })
  order(@Root() payment: ListedPayment): Order | null {
    return payment.orderCode ? { id: payment.orderCode } : null
  }

  @FieldResolver()
  tenantData(@Root() payment: Payment): TenantData | null {
    return tenantDataOf(payment)
  }

  @FieldResolver(() => InstantTransfer, {
    nullable: true,
    description: 'What the payer needs to pay by instant transfer; null for other types.',
  })
  async instantTransfer(
    @Root() payment: Payment,
    @Ctx() context: SubgraphContext<PaymentFieldsDeps>,
  ): Promise<InstantTransfer | null> {
    const { chargeId, tenantId } = payment
    const charge = chargeId ? await context.deps.chargeById(tenantId, chargeId) : undefined
    return charge ? showCharge(context.deps, charge, payment) : null
  }

  @FieldResolver(() => Url, {
    nullable: true,
    description:
      'Where the payer by card proves to the issuer who he is (3-D Secure); null where that is not waited for.',
  })
  challengeUrl(
    @Root() { status, transactionType, globalPaymentData }: Payment,
    @Ctx() { deps }: SubgraphContext<PaymentFieldsDeps>,
  ): string | null {
    const rail = railOfType(deps, transactionType)
    if (status !== 'pending' || rail?.kind !== 'charge') return null
    return rail.adapter.challengeOf?.(globalPaymentData) ?? null
  }

  @FieldResolver(() => PaymentCard, {
    nullable: true,
    description:
      'The card of the last attempt to pay it; null where that is no card, or the processor was not asked yet.',
  })
  card(
    @Root() { transactionType, globalPaymentData }: Payment,
    @Ctx() { deps }: SubgraphContext<PaymentFieldsDeps>,
  ): ShownCard | null {
    const rail = railOfType(deps, transactionType)
    return (rail?.kind === 'charge' && rail.adapter.shownCardOf?.(globalPaymentData)) || null
  }

  @FieldResolver(() => QuoteType, {
    nullable: true,
    description: 'The locked price; null before a transaction is created.',
  })
  async quote(
    @Root() payment: ListedPayment,
    @Ctx() context: SubgraphContext<PaymentFieldsDeps>,
  ): Promise<Quote | null> {
    return payment.quoteId ? ((await context.deps.quoteById(payment.tenantId, payment.quoteId)) ?? null) : null
  }
}

@Resolver(() => Order)
export class OrderPayments {
  @FieldResolver(() => PaymentConnection, {
    nullable: true,
    description: 'The payments registered from the order, newest first unless `sort` says more.',
  })
  payments(
    @Root() order: Order,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('filter', () => OrderPaymentFilterInput, { nullable: true, description: 'Which payments.' })
    filter: Omit<PaymentFilter, 'orderCode'> | null,
    @Arg('sort', () => PaymentSortInput, { nullable: true, description: 'In which order.' })
    sort: PaymentSort | null,
    @Ctx() context: SubgraphContext<PaymentFieldsDeps>,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection> {
    return listPayments(context.deps, tenantOf(context), {
      first,
      after,
      filter: { ...filter, orderCode: order.id },
      sort,
      shown: listedProperties(info, ['edges', 'node']),
    })
  }
}
