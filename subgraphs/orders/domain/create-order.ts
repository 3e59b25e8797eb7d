import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { SentMethods } from '../../../terms/methods.js'
import { tenantDataFailures, type CheckTenantDataDeps } from '../../../terms/tenant-data.js'
import type { OrdersDeps } from '../deps.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { Order, OrderItem, SubscriptionConfig, TenantData } from '../store/order.entity.js'
import { checkCreateOrder } from './check-order-input.js'
import type { DraftOrder, PlainTerms } from './draft-order.js'
import { present, type Patch } from './merge.js'
import { withPicture } from './order-item.js'
import { acceptMethods, defaultMethods } from './methods.js'

type NewSubscription = Pick<SubscriptionConfig, 'planName' | 'interval'> & Patch<SubscriptionConfig>

export interface CreateOrderInput extends PlainTerms {
  paymentMethodAllowed?: SentMethods | null
  orderItems?: (Pick<OrderItem, 'name' | 'quantity'> & Patch<OrderItem>)[] | null
  splitPaymentConfig?: (Pick<SplitReceiver, 'receiverWallet' | 'receiverPercent'> & Patch<SplitReceiver>)[] | null
  subscriptionPaymentConfig?: NewSubscription | null
  tenantData?: TenantData | null
}

type CreateOrderDeps = CheckTenantDataDeps & Pick<OrdersDeps, 'orders'>

/** Every failure of a new order, as far as its fields are there; the webhook's host is looked up for it. */
export async function findCreateOrderFailures(deps: CheckTenantDataDeps, input: DraftOrder): Promise<FieldFailure[]> {
  return [...checkCreateOrder(deps.settings, input), ...(await tenantDataFailures(deps, input.tenantData))]
}

/**
 * Creates a reusable order.
 * @returns the order, active; the earlier one where the idempotency key was used before
 * @throws validation_error with every bad field, invalid_parameters, product_disabled, order_limit_reached,
 * idempotency_key_reused
 */
export async function createOrder(deps: CreateOrderDeps, tenant: Tenant, input: CreateOrderInput): Promise<Order> {
  // First, so that a replay is not judged by products or a webhook's address that changed since.
  const earlier = await deps.orders.firstAnswer(tenant)
  if (earlier) return earlier
  const failures = await findCreateOrderFailures(deps, input)
  if (failures.length > 0) throw validationError(failures)
  const {
    paymentMethodAllowed: methods,
    orderItems,
    splitPaymentConfig,
    subscriptionPaymentConfig: subscription,
    tenantData,
    ...plain
  } = input
  return deps.orders.create(tenant, {
    ...plain,
    paymentMethodAllowed: methods ? acceptMethods(tenant, methods) : defaultMethods(tenant, input),
    // The input's form demands their required fields, so what is present is complete.
    orderItems: (orderItems ?? []).map((item) => present<OrderItem>(withPicture(item)) as OrderItem),
    splitPaymentConfig: (splitPaymentConfig ?? []).map((item) => present<SplitReceiver>(item) as SplitReceiver),
    subscriptionPaymentConfig: subscription ? completeSubscription(subscription) : null,
    tenantData: tenantData ? { publicClientId: tenantData.publicClientId, webhookUrl: tenantData.webhookUrl } : null,
  })
}

/** Subscription terms with the documented defaults for what is absent: not charged by itself, no retries. */
export function completeSubscription(sent: Patch<SubscriptionConfig>): SubscriptionConfig {
  return { charge: false, retryCount: 0, ...present<SubscriptionConfig>(sent) } as SubscriptionConfig
}
