import type { JobRequest } from '../../../../kernel/jobs.js'
import type { EnabledChains } from '../../model/chain-access.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import { reconcileChain, type ReconcileChainDeps } from '../../settlement/reconcile-chain.js'
import type { Stores } from '../../store/stores.js'
import { reconcileProvider, type ReconcileProviderDeps } from './reconcile-provider.js'

export const RECONCILE = 'reconcile'

/** What reconciling needs. */
export type ReconcileDeps = EnabledChains & Rails & ReconcileChainDeps & ReconcileProviderDeps

/** Whose books to compare: a chain's treasury, or a provider. */
export interface ReconcileJob {
  chainName?: string
  rail?: string
}

/** Compares the books with a chain or a provider; one such run is planned at a time. */
export function reconcileJob(job: ReconcileJob): JobRequest {
  return { name: RECONCILE, payload: job, key: `${RECONCILE}:${job.chainName ?? ''}:${job.rail ?? ''}`, maxAttempts: 8 }
}

/** The job that compares. Throws a ProviderError or AppError where the other side is away: the job comes again. */
export async function reconcile(deps: ReconcileDeps, { chainName, rail }: ReconcileJob): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  if (chain) await reconcileChain(deps, chain)
  const charges = rail === undefined ? undefined : chargeRailOf(deps, rail)
  if (charges) await reconcileProvider(deps, charges)
}

/** The daily work: everything is compared. */
export async function reconcileAll(deps: EnabledChains & Rails & Pick<Stores, 'addJobNow'>): Promise<void> {
  for (const { name: chainName } of deps.settings.chains) await deps.addJobNow(reconcileJob({ chainName }))
  for (const rail of deps.rails) if (rail.kind === 'charge') await deps.addJobNow(reconcileJob({ rail: rail.name }))
}
