import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { ShownCharge } from '../../rails/processor-adapter.js'
import type { Charge } from '../../store/charge.entity.js'

/**
 * What the payer needs to pay a charge, with our own id of it; null where it was never handed out, or the payer pays it in
 * another way.
 */
export async function showCharge(deps: Rails, charge: Charge): Promise<(ShownCharge & { code: string }) | null> {
  const rail = chargeRailOf(deps, charge.rail)
  const shown = charge.data && (await rail?.adapter.show(charge.data))
  return shown ? { ...shown, code: charge.id } : null
}
