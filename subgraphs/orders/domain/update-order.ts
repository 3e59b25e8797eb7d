import { AppError, validationError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentMethods, SentMethods } from '../../../terms/methods.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { OrdersDeps } from '../deps.js'
import type { Order, OrderChange, OrderItem, SubscriptionConfig } from '../store/order.entity.js'
import { checkMergedOrder, checkUpdateOrder } from './check-order-input.js'
import { completeSubscription } from './create-order.js'
import type { DraftOrder, PlainTerms } from './draft-order.js'
import { mergeByIndex, present, type Patch } from './merge.js'
import { acceptMethods } from './methods.js'
import type { TermsSettings } from '../../../terms/check-terms.js'

export interface UpdateOrderInput extends Patch<Omit<PlainTerms, 'toChain'>> {
  paymentMethodAllowed?: SentMethods | null
  orderItems?: Patch<OrderItem>[] | null
  splitPaymentConfig?: Patch<SplitReceiver>[] | null
  subscriptionPaymentConfig?: Patch<SubscriptionConfig> | null
}

/**
 * Changes what was sent and leaves the rest: list items are merged by index, the subscription's terms field by field,
 * the allowed methods are replaced. The merged order is valid as a whole, or nothing is stored.
 * @returns the order as it is then; as the earlier request left it, where the idempotency key was used before
 * @throws no_fields_to_update, validation_error, invalid_parameters, product_disabled, order_not_found,
 * idempotency_key_reused
 */
export async function updateOrder(
  deps: Pick<OrdersDeps, 'orders' | 'settings'>,
  tenant: Tenant,
  { id, input }: { id: string; input: UpdateOrderInput },
): Promise<Order> {
  const earlier = await deps.orders.firstAnswer(tenant)
  if (earlier) return earlier
  const sent = present<UpdateOrderInput>(input)
  if (Object.keys(sent).length === 0) throw new AppError('no_fields_to_update')
  const failures = checkUpdateOrder(deps.settings, sent)
  if (failures.length > 0) throw validationError(failures)
  const methods = sent.paymentMethodAllowed ? acceptMethods(tenant, sent.paymentMethodAllowed) : undefined
  if (!isId(id)) throw new AppError('order_not_found')
  return deps.orders.change(tenant, id, (order) => mergeUpdate(deps.settings, order, sent, methods))
}

/** The change that an update means for the stored order. Throws `validation_error` where the result would be bad. */
function mergeUpdate(
  settings: TermsSettings,
  order: Order,
  sent: UpdateOrderInput,
  methods: PaymentMethods | undefined,
): OrderChange {
  const { orderItems, splitPaymentConfig, subscriptionPaymentConfig: subscription, ...rest } = sent
  const change = {
    ...rest,
    ...(methods && { paymentMethodAllowed: methods }),
    ...(orderItems && { orderItems: mergeByIndex(order.orderItems, orderItems) }),
    ...(splitPaymentConfig && { splitPaymentConfig: mergeByIndex(order.splitPaymentConfig, splitPaymentConfig) }),
    ...(subscription && {
      subscriptionPaymentConfig: completeSubscription({
        ...order.subscriptionPaymentConfig,
        ...present<SubscriptionConfig>(subscription),
      }),
    }),
  }
  const merged: DraftOrder = { ...order, ...change }
  const failures = checkMergedOrder(settings, merged)
  if (failures.length > 0) throw validationError(failures)
  // The check above demanded every required field of the merged items.
  return change as OrderChange
}
