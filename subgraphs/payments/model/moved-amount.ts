import { sum } from '../../../kernel/money.js'
import type { PaymentCause } from './payment-cause.js'

/** What went back of a payment, as `global_payment_data` shows it. */
export interface ShownReturn {
  amount: string
  status: string
  forced: boolean
  reason: string
}

type IsAbout = (back: ShownReturn) => boolean

const ordered =
  (status: string): IsAbout =>
  (back) =>
    back.status === status && !back.forced

/** The causes that tell how far something is that goes back, each with what it is about. */
const ABOUT: Partial<Record<PaymentCause, IsAbout>> = {
  refund_requested: ordered('requested'),
  return_requested: ordered('requested'),
  return_processing: ordered('processing'),
  return_done: ordered('done'),
  return_refused: ordered('refused'),
  receipt_taken_back: ({ forced, status }) => forced && status !== 'refused',
  chargeback_won: ({ forced, status }) => forced && status === 'refused',
}

/** Whether an entry of a payment's history tells of something that goes back. */
export function isAboutReturns(cause: string): boolean {
  return Object.hasOwn(ABOUT, cause)
}

/**
 * How much an entry of a payment's history is about, a decimal string: of all that goes back what is otherwise than it was before it.
 * @returns null where it is about nothing that goes back
 */
export function movedAmount(
  cause: string,
  before: readonly ShownReturn[],
  after: readonly ShownReturn[],
): string | null {
  const isAbout = ABOUT[cause as PaymentCause]
  if (!isAbout) return null
  const known = before.map(textOf)
  const moved = after.filter((back) => {
    // Two of the same amount look the same: each of those known stands for one.
    const place = known.indexOf(textOf(back))
    if (place >= 0) known.splice(place, 1)
    return place < 0 && isAbout(back)
  })
  return moved.length === 0 ? null : sum(moved.map(({ amount }) => amount))
}

/** What stands in for an order takes its reason over, and moves no money by that. */
function textOf(back: ShownReturn): string {
  return JSON.stringify({ ...back, reason: undefined })
}
