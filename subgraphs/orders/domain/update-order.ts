import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentMethods, SentMethods } from '../../../terms/methods.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { OrdersDeps } from '../deps.js'
import type { Order, OrderChange, OrderItem, SubscriptionConfig } from '../store/order.entity.js'
import { checkOrderFields } from './check-order-fields.js'
import { checkCleared, checkMergedOrder, withoutBad } from './check-order-input.js'
import { completeSubscription } from './create-order.js'
import type { DraftOrder, PlainTerms } from './draft-order.js'
import { merge, mergeByIndex, type Patch } from './merge.js'
import { withPicture } from './order-item.js'
import { acceptMethods, defaultMethods } from './methods.js'
import type { TermsSettings } from '../../../terms/check-terms.js'

export interface UpdateOrderInput extends Patch<PlainTerms> {
  paymentMethodAllowed?: SentMethods | null
  orderItems?: Patch<OrderItem>[] | null
  splitPaymentConfig?: Patch<SplitReceiver>[] | null
  subscriptionPaymentConfig?: Patch<SubscriptionConfig> | null
}

/**
 * Changes what was sent and leaves the rest: list items are merged by index, the subscription's terms field by field,
 * the allowed methods are replaced, and null clears what an order can be without, and is refused for what it or a part of it
 * needs. The merged order is valid as a whole, or nothing is stored.
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
  const given = saying(input)
  if (Object.keys(given).length === 0) throw new AppError('no_fields_to_update')
  const cleared = checkCleared(given)
  const sent: UpdateOrderInput = withoutBad(given, cleared)
  const failures = [...cleared, ...checkOrderFields(deps.settings, sent)]
  if (failures.length > 0) throw validationError(await withMergedFailures(deps, tenant, { id, sent, failures }))
  const { paymentMethodAllowed: methods } = sent
  const accepted = methods ? acceptMethods(tenant, methods) : undefined
  return deps.orders.change(tenant, id, (order) => {
    const onRamp = sent.onRamp ?? order.onRamp
    const allowed = methods === null ? defaultMethods(tenant, { onRamp }) : accepted
    return mergeUpdate(deps.settings, order, sent, allowed)
  })
}

function saying(input: UpdateOrderInput): UpdateOrderInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
}

/** What is wrong with the fields of an update, and with what of the merged order these failures leave to be judged. */
async function withMergedFailures(
  { orders, settings }: Pick<OrdersDeps, 'orders' | 'settings'>,
  tenant: Tenant,
  { id, sent, failures }: { id: string; sent: UpdateOrderInput; failures: FieldFailure[] },
): Promise<FieldFailure[]> {
  const [order] = isId(id) ? await orders.findMany(tenant.id, [id]) : []
  if (!order || order.deleted) return failures
  const { paymentMethodAllowed: methods } = sent
  // Which methods null stands for is not asked: that could be refused for a product.
  const allowed = methods === undefined ? order.paymentMethodAllowed : methods
  const merged = { ...order, ...mergeLists(order, sent), paymentMethodAllowed: allowed }
  const named = new Set(failures.map(({ field }) => field))
  const between = checkMergedOrder(settings, withoutBad(merged, failures), order)
  return [...failures, ...between.filter(({ field }) => !named.has(field))]
}

/** The change that an update means for the stored order. Throws `validation_error` where the result would be bad. */
function mergeUpdate(
  settings: TermsSettings,
  order: Order,
  sent: UpdateOrderInput,
  methods: PaymentMethods | undefined,
): OrderChange {
  const change = { ...mergeLists(order, sent), ...(methods && { paymentMethodAllowed: methods }) }
  const merged: DraftOrder = { ...order, ...change }
  const failures = checkMergedOrder(settings, merged, order)
  if (failures.length > 0) throw validationError(failures)
  // The check above demanded every required field of the merged items.
  return change as OrderChange
}

/** What was sent, but for the methods, with its lists and its subscription merged into those of the order. */
function mergeLists(order: Order, sent: UpdateOrderInput) {
  const { orderItems, splitPaymentConfig: split, subscriptionPaymentConfig: subscription, ...rest } = sent
  const { paymentMethodAllowed: _, ...plain } = rest
  return {
    ...plain,
    ...(orderItems !== undefined && { orderItems: mergeItems(order, orderItems) }),
    ...(split !== undefined && { splitPaymentConfig: mergeSplit(order, split) }),
    ...(subscription !== undefined && { subscriptionPaymentConfig: mergeSubscription(order, subscription) }),
  }
}

function mergeItems({ orderItems }: Order, sent: Patch<OrderItem>[] | null): Partial<OrderItem>[] {
  return sent ? mergeByIndex(orderItems, sent.map(withPicture)) : []
}

function mergeSplit({ splitPaymentConfig }: Order, sent: Patch<SplitReceiver>[] | null): Partial<SplitReceiver>[] {
  return sent ? mergeByIndex(splitPaymentConfig, sent) : []
}

function mergeSubscription(
  { subscriptionPaymentConfig: stored }: Order,
  sent: Patch<SubscriptionConfig> | null,
): SubscriptionConfig | null {
  return sent && completeSubscription(merge(stored, sent))
}
