import { AppError } from '../../../../kernel/errors.js'
import { throwAsAppError } from '../../../../kernel/http.js'
import type { ChargeView } from '../../model/charge.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { ApplyChargeDeps } from './application.js'
import { applyChargeView } from './apply-charge.js'

/**
 * Takes a charge away at its provider, so that nobody can pay it from here on. The provider has the last word: what was
 * paid before counts, and is written down.
 * @throws payment_already_processed where it was paid; provider_unavailable, provider_timeout
 */
export async function removeCharge(deps: ApplyChargeDeps, rail: ChargeRail, charge: Charge): Promise<void> {
  const view = await removeAtProvider(rail, charge)
  if (!view) return
  // That we have removed it is no news to the payment: whoever had it removed says what becomes of the payment.
  await applyChargeView(deps, rail, charge, view.status === 'cancelled' ? { ...view, status: 'open' } : view)
  // What is paid by the provider's word and shows no money yet will show it.
  const isPaid = view.status === 'paid' && view.receivedPayments.length === 0
  if (isPaid || (await deps.charges.find(charge.tenantId, charge.id))?.state === 'paid')
    throw new AppError('payment_already_processed')
}

/**
 * Removes a charge at its provider, and asks what has become of it: it may have been paid before.
 * @returns the charge as the provider has it now; undefined where it knows none
 * @throws provider_unavailable, provider_timeout
 */
export async function removeAtProvider(
  { adapter }: ChargeRail,
  { reference }: Charge,
): Promise<ChargeView | undefined> {
  await adapter.cancel(reference).catch(throwAsAppError)
  return adapter.retrieve(reference).catch(throwAsAppError)
}
