import type { Transaction } from '../../../kernel/database.js'
import { compare, isPositive, subtract, sum } from '../../../kernel/money.js'
import { TAKEN_BACK } from '../model/attempt-rules.js'
import { inCents } from '../model/in-cents.js'
import { reversalEntry } from '../model/ledger-entries.js'
import { paymentFailure } from '../model/payment-failure.js'
import type { Runtime } from '../model/runtime.js'
import type { StoredReceivedPayment, StoredRefund } from '../store/charge.entity.js'
import type { ChargeRecord } from '../store/charge-records.js'
import type { Payment, PaymentChange } from '../store/payment.entity.js'
import type { Payout } from '../store/payout.entity.js'
import type { Stores } from '../store/stores.js'
import { alertJob } from './alert-job.js'
import { recoverDebt } from './recover-debt.js'
import { convertedFiatOf, isHeldByTransaction, isUnsent, isWithheld } from './withhold-payouts.js'

/** What handling a chargeback needs. */
export type HandleChargebackDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'addJob' | 'ledger' | 'payouts'>

/**
 * Keeps back what receivers have not been sent yet, where the payer's money was taken back by force: for good where all of
 * it is gone, until an operator decides where a part of it is, or where the provider has not decided yet. Under the payment's row
 * lock; a second time it changes nothing, and it is asked again whenever a payout that was on its way comes back.
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
  const { taken, undecided, left } = takenOf(accepted, record)
  if (!isPositive(taken) && !isPositive(undecided)) return undefined
  const payouts = await deps.payouts.lockAll(em, payment)
  if (!isAllTaken({ taken, undecided, left })) {
    const unpaid = payouts.filter(({ state }) => state === 'waiting' || state === 'held')
    const open = isPositive(undecided) ? `, and about ${inCents(undecided)} the provider has not decided yet` : ''
    await hold(deps, em, unpaid, `${inCents(taken)} of ${inCents(left)} ${accepted.currency} were taken back${open}`)
    return undefined
  }
  // What its transaction may have paid stays held: where it has, its tenant owes it, and `retry`, which proves that it has not, comes
  // here again.
  const unsent = payouts.filter(isUnsent)
  if (unsent.length === 0) return undefined
  for (const payout of unsent) payout.state = 'cancelled'
  const entries = unsent.map((payout) => {
    const fiat = { amount: convertedFiatOf(payout), currency: accepted.currency }
    const tokens = { amount: payout.amount, currency: payout.symbol }
    return reversalEntry(accepted.id, payout.splitIndex, fiat, tokens)
  })
  await deps.ledger.book(em, { tenantId: payment.tenantId, paymentId: payment.id, at: deps.clock.now() }, ...entries)
  await recoverDebt(deps, em, payment, accepted.currency)
  if (payment.status !== 'pending') return undefined
  const message =
    unsent.length === payouts.filter((payout) => !isWithheld(payout)).length
      ? 'The provider took the money back before the receivers were paid.'
      : 'The provider took the money back before all receivers were paid.'
  return { status: 'error', dataError: paymentFailure(TAKEN_BACK, message) }
}

/** Of the money that paid a payment; decimal strings. */
export interface Taken {
  /** What is gone by force. */
  taken: string
  /** What somebody wants back by force, as by a special return of Pix that its bank has not decided about. */
  undecided: string
  /** What refunds that were ordered have left of it. */
  left: string
}

/** Whether nothing is left of the money that paid a payment, so that nobody is to be paid of it. */
export function isAllTaken({ taken, left }: Taken): boolean {
  return isPositive(taken) && compare(taken, left) >= 0
}

/** What was, or may be, taken back by force of the money that paid a payment. */
export function takenOf({ id, amount }: StoredReceivedPayment, { refunds }: ChargeRecord): Taken {
  const ours = refunds.filter(({ receiptId }) => receiptId === id)
  const forcedIn = (wanted: StoredRefund['status']): string =>
    sum(ours.filter(({ forced, status }) => forced && status === wanted).map((one) => one.amount))
  const ordered = sum(ours.filter(({ forced, status }) => !forced && status !== 'refused').map((one) => one.amount))
  // A bank may take the whole although a part went back before.
  const left = compare(ordered, amount) < 0 ? subtract(amount, ordered) : '0'
  return { taken: forcedIn('done'), undecided: forcedIn('processing'), left }
}

async function hold(
  deps: HandleChargebackDeps,
  em: Transaction,
  unpaid: readonly Payout[],
  why: string,
): Promise<void> {
  // A transaction that may have paid it outweighs what the bank took: whoever releases it decides about that, and `retry`, which proves
  // that none has, comes here again. What is above the treasury's cap stays so as well: its release comes here again too.
  for (const payout of unpaid.filter((one) => !isHeldByTransaction(one) && !isAboveCap(one)))
    Object.assign(payout, { state: 'held', holdReason: 'partly_taken_back' } satisfies Partial<Payout>)
  const [first] = unpaid
  if (!first) return
  const details = `${unpaid.length} payouts wait for a decision: ${why}`
  await deps.addJob(em, alertJob({ kind: 'payout_held', subject: first.paymentId, details }))
}

/** Whether a payout is held because it is more than may leave the treasury. */
export function isAboveCap({ state, holdReason }: Payout): boolean {
  return state === 'held' && holdReason === 'treasury_cap'
}
