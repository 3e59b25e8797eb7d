import type { FieldFailure } from '../../../kernel/errors.js'
import { planLengthFailures } from '../../../terms/subscription.js'
import type { DraftOrder } from './draft-order.js'

/** How many items an order may have: its page and its webhooks show them all. */
const ITEMS_MAX = 100
/**
 * What a caller may write into an order, as JSON. Each webhook carries it, some events keep it, and a list reads 20 orders. It
 * leaves 600 bytes to each of 100 items, and a webhook within the 100 KB that servers read of a body unless they are told to read more.
 */
const WRITTEN_MAX_BYTES = 65_536

/** The terms that are as long as their caller writes them; the form of all others bounds them. */
const WRITTEN = ['orderItems', 'splitPaymentConfig', 'executorId', 'toCurrencySymbol'] as const

type Written = (typeof WRITTEN)[number]

/**
 * Whether an order, or its plan's name, is too long to be stored, with the field that makes it so.
 * @param stored the order before an update: one from a time without these bounds may stay as large as it is
 */
export function sizeFailures(draft: DraftOrder, stored: DraftOrder = {}): FieldFailure[] {
  const [name, before] = [draft, stored].map(({ subscriptionPaymentConfig: plan }) => plan?.planName)
  const ofPlan = name === before ? [] : planLengthFailures('subscriptionPaymentConfig.planName', name)
  return [...writtenFailures(draft, stored), ...ofPlan]
}

function writtenFailures(draft: DraftOrder, stored: DraftOrder): FieldFailure[] {
  const items = draft.orderItems?.length ?? 0
  if (items > Math.max(ITEMS_MAX, stored.orderItems?.length ?? 0))
    return [{ field: 'orderItems', message: `must be at most ${ITEMS_MAX} items` }]
  const [after, before] = [bytesOf(draft), bytesOf(stored)]
  if (total(after) <= Math.max(WRITTEN_MAX_BYTES, total(before))) return []
  const field = WRITTEN.toSorted((one, other) => growth(other) - growth(one))[0] as Written
  return [{ field, message: `is too long: an order has at most ${WRITTEN_MAX_BYTES / 1024} KiB as JSON` }]

  function growth(term: Written): number {
    return after[term] - before[term]
  }
}

function bytesOf(draft: DraftOrder): Record<Written, number> {
  const sizes = WRITTEN.map((term) => [term, Buffer.byteLength(JSON.stringify(draft[term] ?? null))])
  return Object.fromEntries(sizes) as Record<Written, number>
}

function total(sizes: Record<Written, number>): number {
  return Object.values(sizes).reduce((sum, size) => sum + size, 0)
}
