import type { FieldFailure } from '../../../kernel/errors.js'
import { publicClientIdProblem } from '../../../kernel/tenant.js'
import { checkOrderFields } from './check-order-fields.js'
import { checkOrderRules } from './check-order-rules.js'
import type { DraftOrder } from './draft-order.js'
import type { OrderSettings } from './order-settings.js'

/** Every failure of a new order, as far as its fields are there. */
export function checkCreateOrder(settings: OrderSettings, input: DraftOrder): FieldFailure[] {
  return [
    ...checkOrderFields(settings, input),
    ...checkOrderRules(settings, input),
    ...checkClientId(settings, input.tenantData?.publicClientId),
  ]
}

/** Every failure that an update has by itself; what depends on the stored order is found by `checkMergedOrder`. */
export function checkUpdateOrder(settings: OrderSettings, input: DraftOrder): FieldFailure[] {
  return checkOrderFields(settings, input)
}

/** Every failure of an order with an update merged into it, absent fields of list items and subscription included. */
export function checkMergedOrder(settings: OrderSettings, merged: DraftOrder): FieldFailure[] {
  const { orderItems, splitPaymentConfig, subscriptionPaymentConfig: subscription } = merged
  return [
    ...(orderItems ?? []).flatMap((item, index) => absent(`orderItems.${index}`, item, ['name', 'quantity'])),
    ...(splitPaymentConfig ?? []).flatMap((item, index) =>
      absent(`splitPaymentConfig.${index}`, item, ['receiverWallet', 'receiverPercent']),
    ),
    ...(subscription ? absent('subscriptionPaymentConfig', subscription, ['planName', 'interval']) : []),
    ...checkOrderFields(settings, merged),
    ...checkOrderRules(settings, merged),
  ]
}

function absent<Item extends object>(path: string, item: Item | null, fields: (keyof Item & string)[]): FieldFailure[] {
  return fields
    .filter((field) => item?.[field] === undefined || item[field] === null)
    .map((field) => ({ field: `${path}.${field}`, message: 'is required' }))
}

function checkClientId({ publicClientIdPrefix: prefix }: OrderSettings, id: string | null | undefined): FieldFailure[] {
  if (typeof id !== 'string') return []
  const message = publicClientIdProblem(id, prefix)
  return message === undefined ? [] : [{ field: 'tenantData.publicClientId', message }]
}
