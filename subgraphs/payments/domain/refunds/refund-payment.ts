import type { Transaction } from '../../../../kernel/database.js'
import { AppError, validationError, type FieldFailure } from '../../../../kernel/errors.js'
import { idempotently } from '../../../../kernel/idempotency.js'
import { derivedId, isId } from '../../../../kernel/ids.js'
import { compare, decimalsOf, isPositive, subtract } from '../../../../kernel/money.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { EnabledChains } from '../../model/chain-access.js'
import { inCents } from '../../model/in-cents.js'
import { refundFromBalanceEntry, refundFromPayoutsEntry, type LedgerEntry } from '../../model/ledger-entries.js'
import { FIAT_DECIMALS } from '../../model/proportion.js'
import { refundableAmount } from '../../model/refund-rules.js'
import { NO_REASON, type PaymentRefund, type RefundReason } from '../../model/refund.js'
import type { Runtime } from '../../model/runtime.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import { chargeSummary } from '../../settlement/charge-summary.js'
import { handleChargeback } from '../../settlement/handle-chargeback.js'
import { endAfterWithholding, withholdPayouts } from '../../settlement/withhold-payouts.js'
import type { StoredReceivedPayment, StoredRefund } from '../../store/charge.entity.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { Refundable } from '../../store/refund-orders.js'
import type { Payment, PaymentChange } from '../../store/payment.entity.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import type { Stores } from '../../store/stores.js'
import { refundJob } from './refund-jobs.js'
import { isSharedByProvider } from '../charges/application.js'
import { refundEventJob } from './refund-event.js'
import { partsOfRefund, splitRefundEntries } from './split-refund.js'

/** What ordering a refund needs. */
export type RefundPaymentDeps = EnabledChains &
  Rails &
  Pick<Runtime, 'clock' | 'newId'> &
  Pick<Stores, 'addJob' | 'ledger' | 'payments' | 'payouts' | 'pool' | 'refunds'>

export interface RefundPaymentInput {
  /** In the currency that was charged; what is left where it is absent. */
  amount?: string | null
  reason?: RefundReason | null
}

/** Every failure of the input, as far as its fields are there. */
export function checkRefundPayment({ amount }: Partial<RefundPaymentInput>): FieldFailure[] {
  if (typeof amount !== 'string') return []
  if (!isPositive(amount)) return [{ field: 'amount', message: 'must be above 0' }]
  if (decimalsOf(amount) <= FIAT_DECIMALS) return []
  return [{ field: 'amount', message: `must not have more than ${FIAT_DECIMALS} decimals` }]
}

/**
 * Orders a refund of a payment: it is written down with what it costs under the payment's row lock, and a job has the provider
 * make it. However many are ordered at once, never more goes back than came.
 * @returns the refund as it was made: pending
 * @throws validation_error, payment_not_found, payment_not_refundable, refund_exceeds_payment, insufficient_refund_balance,
 *   permission_denied, idempotency_*
 */
export async function refundPayment(
  deps: RefundPaymentDeps,
  tenant: Tenant,
  { id, ...input }: RefundPaymentInput & { id: string },
): Promise<PaymentRefund> {
  const failures = checkRefundPayment(input)
  if (failures.length > 0) throw validationError(failures)
  let made: PaymentRefund | undefined
  const { refundId } = await idempotently<{ refundId: string }>(deps, tenant, async (complete) => {
    const change = async (payment: Payment, em: Transaction): Promise<RecordedChange | undefined> => {
      await tenant.assertMayStill?.()
      const { refund, recorded } = await orderRefund(deps, em, payment, { key: tenant.idempotency?.key, ...input })
      await complete(em, { refundId: refund.id })
      made = refund
      return recorded
    }
    const isThere = isId(id) && (await deps.payments.change(tenant.id, id, change))
    if (!isThere || !made) throw new AppError('payment_not_found')
    return { refundId: made.id }
  })
  // It is read again only where the idempotency key had ordered it before.
  const refund = made ?? (await deps.refunds.find(tenant.id, refundId))
  if (!refund) throw new AppError('payment_not_found')
  return { ...refund, status: 'pending', updatedAt: refund.createdAt }
}

/** A refund that is about to be ordered. */
interface Order extends Refundable {
  deps: RefundPaymentDeps
  em: Transaction
  payment: Payment
  rail: ChargeRail
  refund: StoredRefund
}

async function orderRefund(
  deps: RefundPaymentDeps,
  em: Transaction,
  payment: Payment,
  { key, ...input }: RefundPaymentInput & { key: string | undefined },
): Promise<{ refund: PaymentRefund; recorded: RecordedChange | undefined }> {
  const refundable = await deps.refunds.readRefundable(em, payment)
  const accepted = refundable?.record.receivedPayments.find(({ outcome }) => outcome === 'accepted')
  const rail = accepted && chargeRailOf(deps, accepted.rail)
  if (!refundable || !accepted || !rail) throw new AppError('payment_not_refundable')
  const { record, payouts } = refundable
  const { currency } = record.charge
  const { id, found } = refundOfKey(deps, payment, record, { key, ...input })
  const reason = input.reason ?? null
  if (found) return { refund: shownRefund(payment, found, { currency, reason }), recorded: undefined }
  const amount = amountOf(deps, accepted, record, input)
  const refund: StoredRefund = {
    ...{ tenantId: payment.tenantId, rail: rail.name, receiptId: accepted.id, id, amount },
    ...partsOfRefund({ rail, payment, record }, accepted, amount),
    status: 'requested',
    forced: false,
    reason: input.reason ?? NO_REASON,
    origin: 'tenant',
    refundId: id,
    sentAt: null,
    refusedAt: null,
    endedAt: null,
    changedAt: null,
    createdAt: orderedAt(deps, record),
  }
  record.refunds.push(refund)
  const entries = await entriesOf({ deps, em, payment, rail, refund, ...refundable })
  const about = { tenantId: payment.tenantId, paymentId: payment.id, at: refund.createdAt }
  await deps.refunds.order(em, { refund, payouts, booking: { about, entries } })
  const change = await endOf(deps, em, payment, refundable, rail)
  const jobs = [refundJob(refund), refundEventJob(refund, 'created')]
  const globalPaymentData = chargeSummary(record, payouts)
  const notify = change?.status !== undefined
  return {
    refund: shownRefund(payment, refund, { currency, reason }),
    recorded: { change: { ...change, globalPaymentData }, cause: 'refund_requested', notify, jobs },
  }
}

/**
 * Under which id a refund is ordered: the same for the same idempotency key, which the database may have lost with the refund as it went back
 * to a backup. The provider knows by it what it has refunded already, and where that was shown since, it is what the key has ordered. A key
 * that has lapsed orders anew.
 */
function refundOfKey(
  { newId }: Pick<Runtime, 'newId'>,
  { tenantId, id: paymentId, createdAt }: Payment,
  { refunds }: ChargeRecord,
  { key, amount }: RefundPaymentInput & { key: string | undefined },
): { id: string; found?: StoredRefund } {
  if (key === undefined) return { id: newId() }
  const id = derivedId(createdAt, ['refund', tenantId, paymentId, key])
  const found = refunds.find(({ refundId }) => refundId === id)
  if (!found) return { id }
  const isLost = found.origin === 'provider' && (amount == null || compare(amount, found.amount) === 0)
  return isLost ? { id, found } : { id: newId() }
}

/**
 * When a refund is ordered: later than all that the charge has, whose payment is locked meanwhile. By these times refunds are sent one after
 * the other, and told apart where a provider only says how much went back in all; the clocks of two hosts do not agree.
 */
function orderedAt({ clock }: Pick<Runtime, 'clock'>, { refunds }: ChargeRecord): Date {
  const newest = Math.max(...refunds.map(({ createdAt }) => createdAt.getTime()))
  return new Date(Math.max(clock.now().getTime(), newest + 1))
}

/** A refund as it was just ordered. */
function shownRefund(
  { id: paymentId }: Payment,
  { tenantId, refundId, id, amount, createdAt }: StoredRefund,
  { currency, reason }: { currency: string; reason: RefundReason | null },
): PaymentRefund {
  const about = { id: refundId ?? id, tenantId, paymentId, amount, currency, reason }
  return { ...about, status: 'pending', createdAt, updatedAt: createdAt }
}

/** Throws refund_exceeds_payment, validation_error on `amount`, payment_not_refundable. */
function amountOf(
  { clock }: Pick<Runtime, 'clock'>,
  accepted: StoredReceivedPayment,
  { refunds }: ChargeRecord,
  input: RefundPaymentInput,
): string {
  const left = refundableAmount(accepted, refunds)
  const amount = input.amount ?? left
  if (!isPositive(amount) || compare(amount, left) > 0) {
    throw new AppError('refund_exceeds_payment', {
      details: `${inCents(left)} ${accepted.currency} are left to be refunded`,
    })
  }
  const ordered = refunds.filter(({ origin }) => origin === 'tenant')
  if (ordered.length >= PARTS_MAX && compare(amount, left) < 0) {
    const message = `must be all that is left: ${ordered.length} refunds of the payment were ordered before`
    throw validationError([{ field: 'amount', message }])
  }
  assertNotRefusedTooOften(clock.now(), ordered)
  return amount
}

/**
 * How many refunds of a payment are ordered of any amount: each reads those before it, and each event of the payment shows and keeps them
 * all. One behind them is of all that is left, so the bound keeps no money from the payer.
 */
const PARTS_MAX = 98

/** How many refusals of a payment's refunds by the provider within a day are followed by another try. */
const REFUSALS_MAX = 100
const DAY_MS = 86_400_000

/** Only what the provider refuses can be ordered without an end: what has gone through leaves the less. Throws payment_not_refundable. */
function assertNotRefusedTooOften(now: Date, ordered: readonly StoredRefund[]): void {
  const refusals = ordered.flatMap(({ status, endedAt }) =>
    status === 'refused' && endedAt ? [endedAt.getTime()] : [],
  )
  const oldest = refusals.toSorted((one, other) => one - other).at(-REFUSALS_MAX)
  if (oldest === undefined || oldest + DAY_MS <= now.getTime()) return
  throw new AppError('payment_not_refundable', {
    message: 'The provider has refused too many refunds of the payment within a day.',
    details: `${REFUSALS_MAX} were refused; another one is taken again from ${new Date(oldest + DAY_MS).toISOString()} on`,
  })
}

/**
 * Puts aside what a refund costs: payouts that have not left bear their part, the tenant's balance for refunds the rest. What
 * the provider has shared out it takes back by itself.
 * @returns what is to be booked; the payouts are changed
 * @throws insufficient_refund_balance
 */
async function entriesOf({ deps, em, payment, payouts, record, rail, refund }: Order): Promise<LedgerEntry[]> {
  const { tenantId, id, amount } = refund
  const { currency } = record.charge
  if (isSharedByProvider({ rail, payment })) return splitRefundEntries(rail.name, refund, currency)
  const { covered, entries } = withholdPayouts(deps, payouts, { id, amount, currency })
  const rest = subtract(amount, covered)
  if (isPositive(covered)) entries.push(refundFromPayoutsEntry(rail.name, id, { amount: covered, currency }))
  if (!isPositive(rest)) return entries
  const balance = await deps.ledger.lockRefundBalance(em, { tenantId, currency })
  if (compare(rest, balance) > 0) {
    const details = `${inCents(rest)} ${currency} are needed, and ${inCents(balance)} are there`
    throw new AppError('insufficient_refund_balance', { details })
  }
  return [...entries, refundFromBalanceEntry(rail.name, id, { amount: rest, currency })]
}

/** The change by which a refund that is written down ends its payment, where it does. */
async function endOf(
  deps: RefundPaymentDeps,
  em: Transaction,
  payment: Payment,
  { record, payouts }: Refundable,
  rail: ChargeRail,
): Promise<PaymentChange | undefined> {
  if (isSharedByProvider({ rail, payment })) return undefined
  // With a part gone by force before, what was held for it may not be owed to anybody any more.
  return (await handleChargeback(deps, em, payment, record)) ?? endAfterWithholding(payment, payouts)
}
