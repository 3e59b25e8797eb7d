import { compare, subtract, sum } from '../../../../kernel/money.js'
import type { ReceivedPayment, Refund } from '../../model/charge.js'
import { isRefundOver, namedRefunds } from '../../model/refund-rules.js'
import type { Difference } from '../../store/differences.js'
import type { ChargeRecord } from '../../store/charge-records.js'

/** What a provider shows of a received payment otherwise than our books have it. */
export interface ReceivedComparison {
  /** Without those whose cause is on its way here, e.g. a refund of ours that has just ended. */
  differences: readonly Pick<Difference, 'kind' | 'expected' | 'actual' | 'details'>[]
  /** Whether the charge has to be synced: also where it is only news. */
  isNews: boolean
}

/** Compares money that a provider shows for a charge with what is booked for it. */
export function compareReceived(record: ChargeRecord, received: ReceivedPayment): ReceivedComparison {
  const stored = record.receivedPayments.find(({ id }) => id === received.id)
  if (!stored) {
    const details = `received at ${received.at.toISOString()}`
    return { differences: [{ kind: 'missing_receipt', expected: '0', actual: received.amount, details }], isNews: true }
  }
  const differences: ReceivedComparison['differences'][number][] = []
  if (compare(stored.amount, received.amount) !== 0) {
    differences.push({ kind: 'wrong_amount', expected: stored.amount, actual: received.amount })
  }
  const known = record.refunds.filter(({ receiptId }) => receiptId === received.id)
  const shown = namedRefunds(received, known)
  const done = shown.filter(({ status }) => status === 'done')
  const unbooked = done.filter(({ id }) => !known.some((one) => one.id === id && one.status !== 'refused'))
  if (unbooked.length > 0) {
    const details = `refunds ${unbooked.map(({ id }) => id).join(', ')}`
    differences.push({
      kind: 'unbooked_refund',
      expected: '0',
      actual: sum(unbooked.map(({ amount }) => amount)),
      details,
    })
  }
  const missing = missingRefund(received, known)
  if (missing) differences.push(missing)
  const { fee } = received
  const isFeeNews = fee !== undefined && (stored.providerFee == null || compare(fee, stored.providerFee) !== 0)
  if (isFeeNews && stored.providerFee != null) {
    const details = 'the provider has changed what it keeps'
    differences.push({ kind: 'wrong_fee', expected: stored.providerFee, actual: fee, details })
  }
  const isRefundNews = missing !== undefined || unbooked.length > 0 || shown.some((one) => isNewsOf(one, known))
  return { differences, isNews: isFeeNews || isRefundNews }
}

/**
 * Whether a refund is not known, or not as far. Also one that the provider has not decided about, as a special return of Pix whose callback
 * was lost: it is no difference of the books yet, and payouts have to be held before they leave.
 */
function isNewsOf({ id, status }: Refund, refunds: ChargeRecord['refunds']): boolean {
  const known = refunds.find((one) => one.id === id)
  return !known || (!isRefundOver(known) && known.status !== status)
}

/** What has gone back by our books, and not by the provider's. */
function missingRefund(
  received: ReceivedPayment,
  known: ChargeRecord['refunds'],
): ReceivedComparison['differences'][number] | undefined {
  const done = known.filter(({ status }) => status === 'done')
  const booked = sum(done.map(({ amount }) => amount))
  const named = received.refunds.filter(({ status }) => status === 'done').map(({ amount }) => amount)
  const shown = sum([...named, received.refundedAmount ?? '0'])
  if (compare(shown, booked) >= 0) return undefined
  const details = `${subtract(booked, shown)} are booked as gone back and are not`
  return { kind: 'missing_refund', expected: booked, actual: shown, details }
}
