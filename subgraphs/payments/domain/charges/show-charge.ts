import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { ShownCharge } from '../../rails/processor-adapter.js'
import type { ChargeData } from '../../model/charge.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'

/**
 * What the payer needs to pay a charge, with our own id of it; null where it was never handed out, or the payer pays it in
 * another way.
 * @param payment as it is, or as it was after an earlier event: then the charge is shown as it was
 */
export async function showCharge(
  deps: Rails,
  charge: Charge,
  payment?: Pick<Payment, 'globalPaymentData'>,
): Promise<(ShownCharge & { code: string }) | null> {
  const rail = chargeRailOf(deps, charge.rail)
  const shown = charge.data && (await rail?.adapter.show(asOf(charge.data, payment?.globalPaymentData)))
  return shown ? { ...shown, code: charge.id } : null
}

/** A charge's data with what a payment's own summary of it says. */
function asOf(data: ChargeData, summary: unknown): ChargeData {
  const told = (typeof summary === 'object' && summary !== null ? summary : {}) as ChargeData
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, told[name] ?? value]))
}
