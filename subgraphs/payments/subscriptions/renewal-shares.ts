import type { JobRequest } from '../../../kernel/jobs.js'
import { tenantShares, type TenantShares } from '../../../kernel/tenant-share.js'
import type { Runtime } from '../model/runtime.js'
import type { Stores } from '../store/stores.js'
import { chargePeriod, type ChargePeriodDeps } from './charge-period.js'
import { renewSubscription, type RenewSubscriptionDeps } from './renew-subscription.js'
import { chargePeriodJob, renewJob, type ChargePeriodJob, type RenewJob } from './subscription-jobs.js'

/** What bounding a tenant's renewals needs. */
export type RenewalShareDeps = Pick<Runtime, 'clock'> &
  Pick<Stores, 'addJobNow'> & {
    renewalShares: RenewalShares
  }

/** What tenants have in hand in this process, each kind by itself: neither takes a place, or a turn, of the other. */
export interface RenewalShares {
  charges: TenantShares
  renewals: TenantShares
}

/**
 * Half of a worker's places in all. All of a tenant's subscriptions may be due in one second, and each charge holds its place for as
 * long as the processor takes: with all places they would keep every other tenant's renewals waiting for hours. Fifty a second of each
 * kind come again, which is more than these places charge.
 */
const COMES_AGAIN = { afterMs: 2_000, apartMs: 20 }
const CHARGES = { running: 8, ...COMES_AGAIN }
/** They ask our own subgraphs alone, and are soon done. */
const RENEWALS = { running: 2, ...COMES_AGAIN }

/** A process's shares. */
export function renewalShares(): RenewalShares {
  return { charges: tenantShares(CHARGES), renewals: tenantShares(RENEWALS) }
}

/** `chargePeriod` in its tenant's share; what is above it comes again, and no attempt is counted. */
export function chargePeriodInShare(deps: RenewalShareDeps & ChargePeriodDeps, job: ChargePeriodJob): Promise<void> {
  return inShare(
    deps,
    { shares: deps.renewalShares.charges, tenantId: job.tenantId },
    () => chargePeriod(deps, job),
    (at) => chargePeriodJob(job, at),
  )
}

/** `renewSubscription` in its tenant's share; what is above it comes again. */
export function renewSubscriptionInShare(deps: RenewalShareDeps & RenewSubscriptionDeps, job: RenewJob): Promise<void> {
  const { tenantId, subscriptionId: id } = job
  return inShare(
    deps,
    { shares: deps.renewalShares.renewals, tenantId },
    () => renewSubscription(deps, job),
    (at) => renewJob({ tenantId, id }, at),
  )
}

async function inShare(
  { clock, addJobNow }: RenewalShareDeps,
  { shares, tenantId }: { shares: TenantShares; tenantId: string },
  work: () => Promise<void>,
  jobAt: (at: Date) => JobRequest,
): Promise<void> {
  const again = await shares.run(tenantId, clock.now(), work)
  if (again) await addJobNow(jobAt(again))
}
