import type { ChargeView } from '../../model/charge.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { ApplyChargeDeps } from './application.js'
import { applyChargeView } from './apply-charge.js'
import { failIfNeverMade, type FailChargeDeps } from './fail-charge.js'

/** What syncing a charge needs. */
export type SyncChargeDeps = ApplyChargeDeps & FailChargeDeps

/**
 * Asks the provider about a charge, and brings its payment up to the answer.
 * @returns what the provider shows; undefined where it has no such charge
 * @throws ProviderError
 */
export async function syncCharge(
  deps: SyncChargeDeps,
  rail: ChargeRail,
  charge: Charge,
): Promise<ChargeView | undefined> {
  const view = await rail.adapter.retrieve(charge.reference)
  if (view) await applyChargeView(deps, rail, charge, view)
  else await failIfNeverMade(deps, rail, charge)
  return view
}
