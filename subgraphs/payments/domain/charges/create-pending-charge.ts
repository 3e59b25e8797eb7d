import { AppError } from '../../../../kernel/errors.js'
import { toAppError } from '../../../../kernel/http.js'
import type { Fence } from '../../../../kernel/idempotency-lease.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { assertMayStart } from '../../model/attempt-rules.js'
import type { ChargeView } from '../../model/charge.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { ChargeRail } from '../../rails/rail.js'
import { chargeSummary } from '../../settlement/charge-summary.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import type { Quote } from '../../store/quotes.js'
import type { LimitedPayment } from '../../store/risk.js'
import { firstSyncJob, watchJob } from './charge-jobs.js'
import { addCharge, pendingChange, type CreateChargeDeps } from './new-charge.js'
import { payableSequence } from './payable-charge.js'
import { priceCharge } from './price-charge.js'
import { refuseCharge } from './refuse-charge.js'
import { removeCharge } from './remove-charge.js'
import { rivalOf } from './rival-charge.js'
import { findUnfinishedCharge } from './unfinished-charge.js'

/** Between our clock and the provider's creation of the charge: the charge must not outlive the quote. */
const TRANSIT_SECONDS = 10

/** An attempt, written down before the provider is asked. */
interface Reservation {
  charge: Charge
  quote: Quote
  /** What was counted against the tenant's limits. */
  counted: LimitedPayment | undefined
}

/** A request for a charge. */
export interface PendingChargeRequest {
  input: CreateTransactionInput
  /** Counts the payment against its tenant's limits, once it is priced. */
  countUse: () => Promise<LimitedPayment | undefined>
  /** Asked before the charge is written down. */
  fence: Fence
}

/**
 * Charges a payer: prices the payment, writes the attempt down, asks the provider under a reference of ours, and hands the
 * charge out with the payment pending. A charge that waits for its payer is given again while it can be paid.
 * @returns the sequence of the payment's event that shows the charge
 * @throws validation_error, payment_already_processed, payment_limit_exceeded, provider_unavailable, provider_timeout
 */
export async function createPendingCharge(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  payment: Payment,
  request: PendingChargeRequest,
): Promise<number> {
  const { input } = request
  if (payment.status === 'pending') {
    const shown = await payableSequence(deps, rail, payment)
    // It was counted when it was made, for the payer that it was made for.
    if (shown !== undefined) return shown
    await endLapsedCharge(deps, rail, payment)
  }
  const reservation = await reserve(deps, rail, payment, request)
  if (typeof reservation === 'number') return reservation
  const { charge, quote } = reservation
  const view = await askProvider(deps, rail, reservation, { input, read: payment })
  if (!isPayable(view, quote)) {
    // Its row is closed, so that the payer's next request is charged afresh instead of going on with this one.
    await withdraw(deps, rail, charge)
    throw new AppError('provider_timeout')
  }
  try {
    return await handOut(deps, payment, reservation, { input, view })
  } catch (error) {
    if (error instanceof AppError && error.code === 'payment_already_processed') await withdraw(deps, rail, charge)
    throw error
  }
}

/**
 * Whether a charge may be handed out: not one that was removed since an attempt before had it made, nor, as of an answer that took very
 * long, one for which the provider would take money at a rate that does not hold any more.
 */
function isPayable({ status, expiresAt }: ChargeView, quote: Quote): boolean {
  return (status === 'open' || status === 'paid') && !(expiresAt && expiresAt > quote.expiresAt)
}

/** Before a charge is replaced the provider has the last word: it may have been paid, and must not be from here on. */
async function endLapsedCharge(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  { tenantId, chargeId }: Payment,
): Promise<void> {
  const charge = chargeId ? await deps.charges.find(tenantId, chargeId) : undefined
  if (charge) await removeCharge(deps, rail, charge)
}

/**
 * Writes the attempt down with its reference and its quote; continues one that a crash left before. Gives the sequence
 * of the payment where the same payer was handed a charge meanwhile.
 */
async function reserve(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  payment: Payment,
  { input, countUse, fence }: PendingChargeRequest,
): Promise<Reservation | number> {
  const payer = rail.adapter.payerOf(input)
  const { amount, quote } = await priceCharge(deps, rail, payment, input.chainName)
  const counted = await countUse()
  let reservation: Reservation | number | undefined
  await deps.payments.change(payment.tenantId, payment.id, async (locked, em) => {
    await fence(em)
    assertMayStart(locked, input.transactionType)
    const rival = await rivalOf(deps, em, locked, payment)
    if (rival?.payerHash === payer.hash && rival.state === 'open') {
      reservation = locked.sequence
      return undefined
    }
    if (rival) throw new AppError('payment_already_processed')
    const unfinished = await findUnfinishedCharge(deps, em, locked, { rail, payer, payerChain: input.chainName })
    if (unfinished) {
      reservation = { ...unfinished, counted }
      return undefined
    }
    const { expiresAt } = quote
    const state = 'creating'
    const charge = await addCharge(deps, em, { payment, rail, state, payer, amount, quote, expiresAt })
    // Should we die before we know what came of it: the watch will.
    await deps.addJob(em, watchJob(charge, expiresAt))
    reservation = { charge, quote, counted }
    return undefined
  })
  if (reservation === undefined) throw new AppError('payment_not_found')
  return reservation
}

async function askProvider(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  { charge, quote }: Reservation,
  { input, read }: { input: CreateTransactionInput; read: Payment },
): Promise<ChargeView> {
  const { reference, amount } = charge
  const leftSeconds = Math.floor((quote.expiresAt.getTime() - deps.clock.now().getTime()) / 1000)
  const lifeSeconds = Math.max(leftSeconds - TRANSIT_SECONDS, 1)
  try {
    return await rail.adapter.create({ reference, amount, lifeSeconds, input })
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'declined') await refuseCharge(deps, charge, { input, read })
    throw toAppError(error)
  }
}

/** Gives the charge to the payer: the payment is pending with it. Another request may have done so already. */
async function handOut(
  deps: CreateChargeDeps,
  payment: Payment,
  { charge, quote, counted }: Reservation,
  { input, view }: { input: CreateTransactionInput; view: ChargeView },
): Promise<number> {
  const { tenantId, id } = payment
  const changed = await deps.payments.change(tenantId, id, async (locked, em): Promise<RecordedChange | undefined> => {
    if (locked.chargeId === charge.id) return undefined
    assertMayStart(locked, input.transactionType)
    if (await rivalOf(deps, em, locked, payment)) throw new AppError('payment_already_processed')
    if (counted) await deps.risk.use(em, counted, deps.clock.now())
    const record = await deps.charges.load(em, charge)
    record.charge.state = 'open'
    record.charge.data = view.data
    if (view.expiresAt && view.expiresAt < record.charge.expiresAt) record.charge.expiresAt = view.expiresAt
    await deps.addJob(em, firstSyncJob(charge, deps.clock.now()))
    const change = {
      ...pendingChange(charge, input, payment.toChain),
      amountTo: quote.amountTo,
      payerCpf: charge.payerMasked,
      globalPaymentData: chargeSummary(record),
    }
    // A charge in place of one that expired leaves the status as it is, which is no news to tenants.
    return { change, cause: 'transaction_created', notify: locked.status !== 'pending' }
  })
  if (!changed) throw new AppError('payment_not_found')
  return changed.sequence
}

/**
 * Withdraws a charge that is not handed out, so that nobody can pay it. Where the provider cannot be reached it is still watched,
 * and money that comes for it is given back.
 */
async function withdraw(deps: CreateChargeDeps, rail: ChargeRail, charge: Charge): Promise<void> {
  await deps.payments.change(charge.tenantId, charge.paymentId, async (_payment, em) => {
    const { charge: present } = await deps.charges.load(em, charge)
    if (present.state === 'creating') present.state = 'closed'
    return undefined
  })
  await rail.adapter.cancel(charge.reference).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ paymentId: charge.paymentId, err: error }, 'a charge could not be withdrawn')
  })
}
