import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import { columnsOf } from '../../../kernel/columns.js'
import type { PaymentMethods } from '../../../terms/methods.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { Change } from './changes.js'

/** What is sold, for the payer to read. */
export interface OrderItem {
  name: string
  quantity: number
  description?: string
  imageUrl?: string
}

/** How a subscription order continues after its first payment. */
export interface SubscriptionConfig {
  planName: string
  interval: 'weekly' | 'monthly' | 'yearly'
  /** Unix seconds. */
  nextPaymentAt?: number
  charge: boolean
  retryCount: number
}

/** The integration that an order's payments belong to, where they name none themselves. */
export interface TenantData {
  publicClientId: string
  webhookUrl: string
}

/** What the order is about: what a caller sends, changes and reads. */
const terms = {
  executorId: p.string(),
  fromCurrencySymbol: p.string(),
  amountFrom: p.string(),
  toCurrencySymbol: p.string(),
  toChain: p.string().nullable(),
  onRamp: p.boolean(),
  gatewayMethod: p.string().$type<'direct' | 'subs'>(),
  paymentMethodAllowed: p.json<PaymentMethods>(),
  orderItems: p.json<OrderItem[]>(),
  splitPaymentConfig: p.json<SplitReceiver[]>(),
  subscriptionPaymentConfig: p.json<SubscriptionConfig>().nullable(),
  tenantData: p.json<TenantData>().nullable(),
  /** Where the payment page sends a payer back to: once it is paid, and before that. */
  successUrl: p.string().nullable(),
  cancelUrl: p.string().nullable(),
}

const properties = {
  tenantId: p.string().primary(),
  id: p.string().primary(),
  /** Counts the tenant's orders from 1: given under the tenant's lock, so it orders them exactly. */
  number: p.integer(),
  /** Of the order's last event. */
  sequence: p.integer(),
  active: p.boolean(),
  /** Kept for the payments that came from it. */
  deleted: p.boolean(),
  ...terms,
  /** Empty as long as predefined payment sessions are not enabled. */
  paymentSessionLink: p.string(),
  createdAt: p.datetime(3),
  updatedAt: p.datetime(3),
}

/** One reusable checkout order of a tenant. */
export const OrderEntity = defineEntity({ name: 'Order', tableName: 'payment_order', properties })
export type Order = InferEntity<typeof OrderEntity>

export type OrderTerms = Pick<Order, keyof typeof terms>

/** The columns of an order, for a select. */
export const ORDER_COLUMNS = columnsOf(Object.keys(properties))

/** A change of a stored order. */
export type OrderChange = Partial<OrderTerms & Pick<Order, 'active' | 'deleted'>>

/** An order as JSON: times are ISO 8601. */
export type OrderSnapshot = Omit<Order, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string }

/** One entry of an order's history, with the order as it then was or with what became of it: never changed, never removed. */
export const OrderEventEntity = defineEntity({
  name: 'OrderEvent',
  tableName: 'order_event',
  properties: {
    tenantId: p.string().primary(),
    orderId: p.string().primary(),
    sequence: p.integer().primary(),
    type: p.string().$type<'order.created' | 'order.updated'>(),
    /** Null where `changes` says what is different from the order after the event before. */
    snapshot: p.json<OrderSnapshot>().nullable(),
    changes: p.json<Change[]>().nullable(),
    createdAt: p.datetime(3),
  },
})
