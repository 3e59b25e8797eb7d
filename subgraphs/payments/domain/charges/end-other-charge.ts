import { AppError } from '../../../../kernel/errors.js'
import type { TransactionType } from '../../model/transaction-type.js'
import { railOfType, type Rails } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Payment } from '../../store/payment.entity.js'
import type { ApplyChargeDeps } from './application.js'
import { applyChargeView } from './apply-charge.js'
import { removeAtProvider } from './remove-charge.js'

/** The rail of the charge that waits for its payer while another kind of payment is asked for; undefined where none does. */
export function railOfOtherCharge(deps: Rails, payment: Payment, type: TransactionType): ChargeRail | undefined {
  const { status, transactionType, chargeId } = payment
  if (status !== 'pending' || !transactionType || transactionType === type || !chargeId) return undefined
  const rail = railOfType(deps, transactionType)
  if (rail?.kind !== 'charge') return undefined
  return !rail.adapter.chargesImmediately || waitsForChallenge(rail, payment) ? rail : undefined
}

/** Whether a charge takes no money before its payer has been elsewhere, and proved who he is: he may never go there. */
export function waitsForChallenge({ adapter }: ChargeRail, { globalPaymentData }: Payment): boolean {
  return adapter.challengeOf?.(globalPaymentData) !== undefined
}

/** @throws payment_already_processed where it is known already that the payment's charge was paid */
export async function assertChargeUnpaid(
  { charges }: Pick<ApplyChargeDeps, 'charges'>,
  { tenantId, chargeId }: Payment,
): Promise<void> {
  const charge = chargeId ? await charges.find(tenantId, chargeId) : undefined
  if (charge?.state === 'paid') throw new AppError('payment_already_processed')
}

/**
 * Removes a charge that waits for its payer, so that another kind of payment can take its place: two at once could both be
 * paid. The provider has the last word on whether it was paid before.
 * @returns the payment, whose attempt has ended
 * @throws payment_already_processed where the charge was paid; provider_unavailable, provider_timeout
 */
export async function endOtherCharge(
  deps: ApplyChargeDeps,
  rail: ChargeRail,
  { tenantId, id, chargeId }: Payment,
): Promise<Payment> {
  const charge = chargeId ? await deps.charges.find(tenantId, chargeId) : undefined
  if (!charge) throw new AppError('payment_already_processed')
  const view = await removeAtProvider(rail, charge)
  if (view) await applyChargeView(deps, rail, charge, view)
  const payment = await deps.payments.find(tenantId, id)
  if (!payment) throw new AppError('payment_not_found')
  return payment
}
