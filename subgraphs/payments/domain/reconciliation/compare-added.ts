import type { EnabledChains } from '../../model/chain-access.js'
import { isAnyAdded, type AuditedAccountsDeps } from '../../settlement/audited-accounts.js'
import type { Stores } from '../../store/stores.js'
import { reconcileJob } from './reconcile-jobs.js'

/** What comparing accounts needs that were added. */
export type CompareAddedDeps = EnabledChains & AuditedAccountsDeps & Pick<Stores, 'addJobNow'>

/**
 * Has chains compared at once for which an account was added: what it does before its first comparison is compared with nothing, and the
 * daily one may be a day away.
 */
export async function compareAdded(deps: CompareAddedDeps): Promise<void> {
  for (const chain of deps.settings.chains) {
    if (await isAnyAdded(deps, chain)) await deps.addJobNow(reconcileJob({ chainName: chain.name }))
  }
}
