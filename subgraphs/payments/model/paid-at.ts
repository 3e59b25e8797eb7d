import { confirmedAt } from '../../../terms/money-in.js'
import { isPaid } from './settled.js'

/** An entry of a payment's history, as far as it is looked at. */
interface Entry {
  cause: string
  createdAt: Date
}

/** Causes by which a payer's money is in; the latest counts, as what a chain took back was paid again. */
const MONEY_IN: readonly string[] = ['payer_paid', 'underpayment_accepted']

/**
 * When a payment was paid: when its provider confirmed the charge, or its history says that the payer's money was in. What has changed since is
 * none of it.
 * @param history the payment's, oldest first
 * @returns null while it is not paid, and where nothing tells
 */
export async function paidAtOf(
  payment: Parameters<typeof isPaid>[0],
  history: () => Promise<readonly Entry[]>,
): Promise<Date | null> {
  if (!isPaid(payment)) return null
  const at = confirmedAt(payment.globalPaymentData)
  if (at !== undefined) return new Date(at)
  const entries = await history()
  const entry =
    entries.findLast(({ cause }) => MONEY_IN.includes(cause)) ?? entries.find(({ cause }) => cause === 'receivers_paid')
  return entry?.createdAt ?? null
}
