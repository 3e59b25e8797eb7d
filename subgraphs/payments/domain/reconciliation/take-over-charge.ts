import { ProviderError } from '../../../../kernel/provider-error.js'
import type { Runtime } from '../../model/runtime.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import { syncCharge, type SyncChargeDeps } from '../charges/sync-charge.js'
import type { LookUps } from './look-ups.js'

/** What taking over a charge that a list has named needs. */
export interface TakeOver {
  deps: SyncChargeDeps & Pick<Runtime, 'log'>
  rail: ChargeRail
  /** Ends by what single charges could not be read for. */
  lookUps: LookUps
}

/**
 * Takes over what the charge shows. What is in the way of one keeps nobody else's money waiting, such as a token that is not enabled any
 * more, an amount that cannot be paid out, or an answer that nobody can read: its difference stays, and the next look tries again.
 * @throws ProviderError where the provider is away
 */
export function takeOverCharge({ deps, rail, lookUps }: TakeOver, charge: Charge): Promise<void> {
  const { paymentId } = charge
  return lookUps.make({ paymentId }, async () => {
    try {
      await syncCharge(deps, rail, charge)
    } catch (error) {
      if (error instanceof ProviderError) throw error
      // The provider has answered: its list need not be read again for it.
      deps.log.error({ paymentId, err: error }, 'what a provider lists could not be taken over')
    }
  })
}
