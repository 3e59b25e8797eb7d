import type { FieldFailure } from '../../../kernel/errors.js'
import { termRuleFailures, type TermsSettings } from '../../../terms/check-terms.js'
import { checkOrderFields } from './check-order-fields.js'
import type { DraftOrder } from './draft-order.js'
import { sizeFailures } from './order-size.js'

/** Every failure of a new order, as far as its fields are there: of its fields, and of the rules between those that are right. */
export function checkCreateOrder(settings: TermsSettings, input: DraftOrder): FieldFailure[] {
  // First, as not all failures are listed where there are many.
  return [...sizeFailures(input), ...checkOrder(settings, input)]
}

/** What is wrong with the fields of an order, and between those that are right. */
function checkOrder(settings: TermsSettings, order: DraftOrder): FieldFailure[] {
  const failures = checkOrderFields(settings, order)
  const right = withoutBad(order, failures)
  return [...failures, ...termRuleFailures(settings, right), ...checkSubscription(right)]
}

/** What an order can be without: null clears it. */
const CLEARABLE: ReadonlySet<string> = new Set([
  'toChain',
  'paymentMethodAllowed',
  'orderItems',
  'splitPaymentConfig',
  'subscriptionPaymentConfig',
  'successUrl',
  'cancelUrl',
])

/** The fields of an update that null would take away from an order, or from a part of it, which needs them. */
export function checkCleared(input: DraftOrder): FieldFailure[] {
  const cleared = Object.entries(input).flatMap(([field, value]) =>
    value === null && !CLEARABLE.has(field) ? [field] : [],
  )
  const clearedInParts = neededInParts(input).flatMap(({ field, value }) => (value === null ? [field] : []))
  return [...cleared, ...clearedInParts].map((field) => ({ field, message: 'cannot be null: an order needs it' }))
}

/** Every failure of an update of which a part had a bad form, as far as that can be told without the order: a split is merged first. */
export function checkPartialUpdate(settings: TermsSettings, input: DraftOrder): FieldFailure[] {
  const failures = [...checkCleared(input), ...checkOrderFields(settings, input)]
  const { splitPaymentConfig: _, ...right } = withoutBad(input, failures)
  return [...failures, ...termRuleFailures(settings, right)]
}

/** A rule between fields says nothing where one of them is bad by itself. */
export function withoutBad<Draft extends object>(draft: Draft, failures: readonly FieldFailure[]): Partial<Draft> {
  const bad = new Set(failures.map(({ field }) => field))
  return Object.fromEntries(Object.entries(draft).filter(([field]) => !bad.has(field))) as Partial<Draft>
}

/**
 * Every failure of an order with an update merged into it, absent fields of list items and subscription included.
 * @param stored the order without the update
 */
export function checkMergedOrder(settings: TermsSettings, merged: DraftOrder, stored: DraftOrder): FieldFailure[] {
  const absent = neededInParts(merged).filter(({ value }) => value === undefined || value === null)
  // Set at creation only, and by a prefix that the deployment may have changed since.
  const failures = checkOrder(settings, { ...merged, tenantData: undefined })
  return [
    ...sizeFailures(merged, stored),
    ...absent.map(({ field }) => ({ field, message: 'is required' })),
    ...failures,
  ]
}

/** The fields that the items, the receivers and the subscription of an order need, each with what it has. */
function neededInParts(draft: DraftOrder): { field: string; value: unknown }[] {
  const { orderItems, splitPaymentConfig: split, subscriptionPaymentConfig: subscription } = draft
  return [
    ...(orderItems ?? []).flatMap((item, index) => fieldsOf(`orderItems.${index}`, item, ['name', 'quantity'])),
    ...(split ?? []).flatMap((receiver, index) =>
      fieldsOf(`splitPaymentConfig.${index}`, receiver, ['receiverWallet', 'receiverPercent']),
    ),
    ...(subscription ? fieldsOf('subscriptionPaymentConfig', subscription, ['planName', 'interval']) : []),
  ]
}

function fieldsOf<Part extends object>(path: string, part: Part | null, names: (keyof Part & string)[]) {
  return names.map((name) => ({ field: `${path}.${name}`, value: part?.[name] }))
}

function checkSubscription({ gatewayMethod, subscriptionPaymentConfig }: DraftOrder): FieldFailure[] {
  if (gatewayMethod !== 'subs' || subscriptionPaymentConfig) return []
  return [{ field: 'subscriptionPaymentConfig', message: 'is required for a subscription' }]
}
