import { AppError } from '../../../../kernel/errors.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import { syncCharge, type SyncChargeDeps } from './sync-charge.js'

/**
 * The sequence of the payment that shows its charge, where that can still be paid. The provider is asked, as it may have
 * ended or removed the charge since; while it cannot be reached, what is written down holds.
 * @throws payment_already_processed where the charge was paid
 */
export async function payableSequence(
  deps: SyncChargeDeps,
  rail: ChargeRail,
  { tenantId, id, chargeId }: Payment,
): Promise<number | undefined> {
  const charge = chargeId ? await findPayable(deps, tenantId, chargeId) : undefined
  if (!charge || !(await isThere(deps, rail, charge))) return undefined
  // What was retrieved may have ended or paid it.
  if (!(await findPayable(deps, tenantId, charge.id))) return undefined
  const present = await deps.payments.find(tenantId, id)
  return present?.chargeId === charge.id ? present.sequence : undefined
}

/** A charge that can be paid by our own account. Throws payment_already_processed where it was. */
async function findPayable(deps: SyncChargeDeps, tenantId: string, chargeId: string): Promise<Charge | undefined> {
  const charge = await deps.charges.find(tenantId, chargeId)
  if (charge?.state === 'paid') throw new AppError('payment_already_processed')
  return charge?.state === 'open' && deps.clock.now() < charge.expiresAt ? charge : undefined
}

async function isThere(deps: SyncChargeDeps, rail: ChargeRail, charge: Charge): Promise<boolean> {
  try {
    return (await syncCharge(deps, rail, charge)) !== undefined
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn(
      { paymentId: charge.paymentId, err: error },
      'a charge is handed out again though it could not be retrieved',
    )
    return true
  }
}
