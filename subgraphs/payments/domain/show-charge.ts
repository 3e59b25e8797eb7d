import type { PaymentsDeps } from '../deps.js'
import type { ShownCharge } from '../rails/charge-desk.js'
import type { Charge } from '../store/charge.entity.js'
import { chargeRailOf } from './watch-charge.js'

/**
 * What the payer needs to pay a charge, with our own id of it; null where it was never handed out, or the payer pays it in
 * another way.
 */
export async function showCharge(
  deps: Pick<PaymentsDeps, 'rails'>,
  charge: Charge,
): Promise<(ShownCharge & { code: string }) | null> {
  const rail = chargeRailOf(deps, charge.rail)
  const shown = charge.data && (await rail?.desk.show(charge.data))
  return shown ? { ...shown, code: charge.id } : null
}
