import { AppError } from '../../../../kernel/errors.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { backoffByAge } from '../../model/backoff.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Stores } from '../../store/stores.js'
import { UNANSWERED_PRIORITY, watchJob, type ChargeJob } from './charge-jobs.js'
import { syncCharge, type SyncChargeDeps } from './sync-charge.js'
import { EXPIRY_GRACE_MS } from './terminal-status.js'

/** What watching a charge needs. */
export type WatchChargeDeps = SyncChargeDeps & Rails & Pick<Stores, 'addJobNow'>

const SYNC_BACKOFF = { shortestMs: 15_000, longestMs: 900_000 }

/**
 * The job that asks the provider about a charge, as callbacks may be lost, and of an expiry or a removal none comes at all: where
 * the provider has lists, once while it is young, until it answers, and once when it has expired, and `sync-received` finds the rest;
 * else until a day after its expiry.
 */
export async function watchCharge(deps: WatchChargeDeps, { tenantId, chargeId }: ChargeJob): Promise<void> {
  const charge = await deps.charges.find(tenantId, chargeId)
  const rail = charge && chargeRailOf(deps, charge.rail)
  if (!charge || !rail) return
  const isAnswered = await syncCharge(deps, rail, charge).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof ProviderError || error instanceof AppError)) throw error
      deps.log.warn({ paymentId: charge.paymentId, err: error }, 'a charge could not be retrieved')
      return false
    },
  )
  const present = (await deps.charges.find(tenantId, chargeId)) ?? charge
  const next = isOver(rail, present) ? undefined : nextSync(rail, present, { now: deps.clock.now(), isAnswered })
  if (!next) return
  const job = watchJob(charge, next)
  await deps.addJobNow(isAnswered ? job : { ...job, priority: UNANSWERED_PRIORITY })
}

/** What a provider that charges at once has answered finally only changes by what it calls us back for, weeks later. */
function isOver({ adapter }: ChargeRail, { state, data }: Charge): boolean {
  return adapter.chargesImmediately && state !== 'open' && data !== null
}

/**
 * When to look again: soon while it is young, and right after it has expired. What is paid changes only by a refund, of
 * which a callback tells.
 */
function nextSync(
  { adapter }: ChargeRail,
  charge: Charge,
  { now, isAnswered }: { now: Date; isAnswered: boolean },
): Date | undefined {
  if (now > charge.watchUntil) return undefined
  const { state } = charge
  // A list tells of money that came. What an issuer or a review decides about a card later is in the list of its order's time only.
  const isListed = adapter.listReceived !== undefined && !adapter.chargesImmediately
  if (isListed && state !== 'open' && state !== 'creating') return undefined
  if (charge.state === 'paid') return new Date(now.getTime() + SYNC_BACKOFF.longestMs)
  const next = now.getTime() + backoffByAge(charge.createdAt, now, SYNC_BACKOFF)
  const expiredAt = charge.expiresAt.getTime() + EXPIRY_GRACE_MS + 1
  // A look that failed is no look: the payer may have paid, and the list comes some minutes later.
  if (isListed && state === 'open' && isAnswered && now.getTime() < expiredAt) return new Date(expiredAt)
  return new Date(now.getTime() < expiredAt ? Math.min(next, expiredAt) : next)
}
