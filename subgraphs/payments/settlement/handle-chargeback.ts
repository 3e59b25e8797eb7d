import type { Transaction } from '../../../kernel/database.js'
import { compare, divide, fromBaseUnits, isPositive, multiply, sum, toBaseUnits } from '../../../kernel/money.js'
import { TAKEN_BACK } from '../model/attempt-rules.js'
import { reversalEntry, type LedgerEntry } from '../model/ledger-entries.js'
import { paymentFailure } from '../model/payment-failure.js'
import type { Runtime } from '../model/runtime.js'
import type { StoredReceivedPayment } from '../store/charge.entity.js'
import type { ChargeRecord } from '../store/charges.js'
import type { Payment, PaymentChange } from '../store/payment.entity.js'
import type { Payout } from '../store/payout.entity.js'
import type { Stores } from '../store/stores.js'
import { alertJob } from './alert-job.js'

/** What handling a chargeback needs. */
export type HandleChargebackDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'addJob' | 'ledger' | 'payouts'>

/** Both fiat currencies that providers charge in have cents. */
const FIAT_DECIMALS = 2

/**
 * Keeps back what receivers have not been sent yet, where the payer's money was taken back by force: for good where all of
 * it is gone, until an operator decides where a part of it is. Under the payment's row lock; a second time it changes
 * nothing, and it is asked again whenever a payout that was on its way comes back.
 * @param record of the charge that the payment waits for
 * @returns the change by which the payment ends; undefined where it continues
 */
export async function handleChargeback(
  deps: HandleChargebackDeps,
  em: Transaction,
  payment: Payment,
  record: ChargeRecord,
): Promise<PaymentChange | undefined> {
  const accepted = record.receivedPayments.find(({ outcome }) => outcome === 'accepted')
  if (!accepted) return undefined
  const taken = takenOf(accepted, record)
  if (!isPositive(taken)) return undefined
  const payouts = await deps.payouts.lockAll(em, payment)
  const unsent = payouts.filter(({ state }) => state === 'waiting' || state === 'held')
  if (compare(taken, accepted.amount) < 0) {
    await hold(deps, em, unsent, `${taken} of ${accepted.amount} ${accepted.currency} were taken back`)
    return undefined
  }
  if (unsent.length === 0) return undefined
  for (const payout of unsent) payout.state = 'cancelled'
  const entries = payouts.flatMap((payout, place) =>
    unsent.includes(payout) ? reversalOf(accepted, payouts, place) : [],
  )
  await deps.ledger.book(em, { tenantId: payment.tenantId, paymentId: payment.id, at: deps.clock.now() }, ...entries)
  if (payment.status !== 'pending') return undefined
  const message =
    unsent.length === payouts.length
      ? 'The provider took the money back before the receivers were paid.'
      : 'The provider took the money back before all receivers were paid.'
  return { status: 'error', dataError: paymentFailure(TAKEN_BACK, message) }
}

/** What is gone of the money that paid the payment: we never order a return of it. */
function takenOf({ id }: StoredReceivedPayment, { refunds }: ChargeRecord): string {
  return sum(
    refunds.filter(({ receiptId, status }) => receiptId === id && status === 'done').map(({ amount }) => amount),
  )
}

async function hold(
  deps: HandleChargebackDeps,
  em: Transaction,
  unsent: readonly Payout[],
  why: string,
): Promise<void> {
  for (const payout of unsent) payout.state = 'held'
  const [first] = unsent
  if (!first) return
  const details = `${unsent.length} payouts wait for a decision: ${why}`
  await deps.addJob(em, alertJob({ kind: 'payout_held', subject: first.paymentId, details }))
}

/**
 * The conversion of one splitIndex's share, taken back. The shares of the fiat follow the shares' running totals, so that they sum
 * to the received payment whichever shares are taken back in whatever order.
 */
function reversalOf(accepted: StoredReceivedPayment, payouts: readonly Payout[], place: number): LedgerEntry[] {
  const payout = payouts[place]
  if (!payout) return []
  const total = sum(payouts.map(({ amount }) => amount))
  const fiatUpTo = (count: number): bigint => {
    const owed = sum(payouts.slice(0, count).map(({ amount }) => amount))
    return toBaseUnits(divide(multiply(accepted.amount, owed), total, FIAT_DECIMALS), FIAT_DECIMALS)
  }
  const fiat = {
    amount: fromBaseUnits(fiatUpTo(place + 1) - fiatUpTo(place), FIAT_DECIMALS),
    currency: accepted.currency,
  }
  return [reversalEntry(accepted.id, payout.splitIndex, fiat, { amount: payout.amount, currency: payout.symbol })]
}
