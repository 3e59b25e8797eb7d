import { AppError } from '../../../kernel/errors.js'
import { idempotentlyAnswered } from '../../../kernel/idempotency.js'
import type { Fence } from '../../../kernel/idempotency-lease.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { CANCELED, REFUNDED, TAKEN_BACK } from '../model/attempt-rules.js'
import { paymentFailure } from '../model/payment-failure.js'
import { chargeRailOf, type Rails } from '../rails/find-rail.js'
import type { Payment } from '../store/payment.entity.js'
import type { RecordedChange } from '../store/payment-changes.js'
import type { Stores } from '../store/stores.js'
import type { ApplyChargeDeps } from './charges/application.js'
import { removeCharge } from './charges/remove-charge.js'
import { hasUncountedDeposit, type HasUncountedDepositDeps } from './deposits/has-deposit.js'
import { findDust, lookAgainAt, type Dust, type FindDustDeps } from './deposits/find-dust.js'
import { findPayment, findPaymentVersion, type PaymentVersion } from './find-payment.js'

/** What cancelling a payment needs. */
export type CancelPaymentDeps = ApplyChargeDeps & HasUncountedDepositDeps & FindDustDeps & Rails & Pick<Stores, 'pool'>

/** Between the removal of a charge and the cancellation somebody may hand out another one; so often it is removed too. */
const TRIES = 3

/**
 * Cancels an unpaid payment for good. A charge that its payer could pay is removed at the provider first, so that what is
 * canceled is not paid later; money that was on its way all the same is refunded. What is at an address of it and is too little to
 * be shared out or given back is held. A second time it changes nothing.
 * @throws payment_not_found; payment_already_processed where it was paid, its wallet's transaction was broadcast, or more
 *   than that is at an address of it, or something that waits for its confirmations, however it is to be paid since then;
 *   provider_unavailable, provider_timeout, idempotency_*
 */
export async function cancelPayment(deps: CancelPaymentDeps, tenant: Tenant, { id }: { id: string }): Promise<Payment> {
  const version = await idempotentlyAnswered<PaymentVersion>(deps, tenant, async (fence) => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const payment = await findPayment(deps, tenant, { id })
      const canceled = await cancelOnce(deps, payment, fence)
      if (canceled) return { paymentId: id, sequence: canceled.sequence }
    }
    throw new AppError('payment_already_processed')
  })
  return findPaymentVersion(deps, tenant, version)
}

/** Undefined where another charge was handed out meanwhile. */
async function cancelOnce(deps: CancelPaymentDeps, payment: Payment, fence: Fence): Promise<Payment | undefined> {
  const dust = await findDust(deps, payment)
  assertCancelable(payment, dust)
  if (isCanceled(payment)) return payment
  if (await hasUncountedDeposit(deps, payment)) throw moneyCame()
  const charge = payment.chargeId ? await deps.charges.find(payment.tenantId, payment.chargeId) : undefined
  const rail = charge && chargeRailOf(deps, charge.rail)
  if (charge && rail && payment.status === 'pending') await removeCharge(deps, rail, charge)
  const seen = { isReplaced: false }
  const changed = await deps.payments.change(payment.tenantId, payment.id, async (locked, em) => {
    await fence(em)
    assertCancelable(locked, dust)
    if (await deps.charges.acceptedOf(em, locked)) throw new AppError('payment_already_processed')
    seen.isReplaced = locked.status === 'pending' && locked.chargeId != null && locked.chargeId !== charge?.id
    if (seen.isReplaced || isCanceled(locked)) return undefined
    if (charge) (await deps.charges.load(em, charge)).charge.state = 'closed'
    if (dust) await lookAgainAt(deps, em, dust)
    return CANCELLATION
  })
  return seen.isReplaced ? undefined : changed
}

const CANCELLATION: RecordedChange = {
  // What a wallet was given to sign stays: should a block have it all the same, it has paid the receivers.
  change: { status: 'error', dataError: paymentFailure(CANCELED, 'The payment was canceled.') },
  cause: 'canceled',
  notify: true,
}

function isCanceled({ status, dataError }: Payment): boolean {
  return status === 'error' && dataError?.code === CANCELED
}

function assertCancelable(payment: Payment, dust: Dust | undefined): void {
  const { status, dataError, signedTransaction, receivedAmount, tidHash } = payment
  const isBroadcast = status === 'pending' && (signedTransaction != null || tidHash != null)
  const wasPaid = status === 'success' || (status === 'error' && [TAKEN_BACK, REFUNDED].includes(dataError?.code ?? ''))
  if (receivedAmount && receivedAmount !== dust?.receivedAmount) throw moneyCame()
  if (isBroadcast) throw paidAlready('A transaction that pays the payment is on its way; it cannot be canceled.')
  if (wasPaid) throw paidAlready('The payment was paid; it can be refunded, not canceled.')
}

function moneyCame(): AppError {
  return paidAlready('Money has come to the address of the payment; it cannot be canceled.')
}

function paidAlready(message: string): AppError {
  return new AppError('payment_already_processed', { message })
}
