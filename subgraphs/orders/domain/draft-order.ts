import type { SentMethods } from '../../../terms/methods.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { OrderItem, OrderTerms, SubscriptionConfig, TenantData } from '../store/order.entity.js'
import type { Patch } from './merge.js'

/** The terms that are one value each. */
export type PlainTerms = Omit<
  OrderTerms,
  'paymentMethodAllowed' | 'orderItems' | 'splitPaymentConfig' | 'subscriptionPaymentConfig' | 'tenantData'
>

export type DraftItem = Patch<OrderItem>
export type DraftReceiver = Patch<SplitReceiver>
export type DraftSubscription = Patch<SubscriptionConfig>

/**
 * An order's terms before they are known to be complete: a caller's input, any part of which may be absent or was left
 * out because its own form was bad (a list has null there), or a stored order with an update merged into it.
 */
export type DraftOrder = Patch<
  PlainTerms & {
    paymentMethodAllowed: SentMethods
    orderItems: readonly (DraftItem | null)[]
    splitPaymentConfig: readonly (DraftReceiver | null)[]
    subscriptionPaymentConfig: DraftSubscription
    tenantData: Patch<TenantData>
  }
>
