import { AppError } from '../../../../kernel/errors.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { backoffByAge } from '../../model/backoff.js'
import type { ChargeView } from '../../model/charge.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Stores } from '../../store/stores.js'
import { applyChargeView } from './apply-charge.js'
import { UNANSWERED_PRIORITY, watchJob, type ChargeJob } from './charge-jobs.js'
import { removeAtProvider } from './remove-charge.js'
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
  let look = await lookAt(deps, charge, 'retrieved', () => syncCharge(deps, rail, charge))
  let present = (await deps.charges.find(tenantId, chargeId)) ?? charge
  if (isLeftOpen(rail, present, look)) {
    look = await lookAt(deps, present, 'cancelled', () => cancelLeftOpen(deps, rail, present))
    present = (await deps.charges.find(tenantId, chargeId)) ?? present
  }
  const { isAnswered } = look
  const next = isOver(rail, present, look) ? undefined : nextSync(rail, present, { now: deps.clock.now(), isAnswered })
  if (!next) return
  const job = watchJob(charge, next)
  await deps.addJobNow(isAnswered ? job : { ...job, priority: UNANSWERED_PRIORITY })
}

/** What a look at a charge has shown. */
interface Look {
  isAnswered: boolean
  /** Undefined where the provider shows no such charge, or did not answer. */
  view: ChargeView | undefined
}

async function lookAt(
  { log }: WatchChargeDeps,
  { paymentId }: Charge,
  what: 'retrieved' | 'cancelled',
  ask: () => Promise<ChargeView | undefined>,
): Promise<Look> {
  try {
    return { isAnswered: true, view: await ask() }
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof AppError)) throw error
    log.warn({ paymentId, err: error }, `a charge could not be ${what}`)
    return { isAnswered: false, view: undefined }
  }
}

/** Whether the provider may still take the money of a charge that takes none any more, as after a review that has taken too long. */
function isLeftOpen({ adapter }: ChargeRail, { state }: Charge, { view }: Look): boolean {
  return adapter.chargesImmediately && state === 'closed' && view?.status === 'open'
}

/** Cancels it there, so that nobody is charged for nothing. The provider has the last word: what it took meanwhile is refunded. */
async function cancelLeftOpen(
  deps: WatchChargeDeps,
  rail: ChargeRail,
  charge: Charge,
): Promise<ChargeView | undefined> {
  const view = await removeAtProvider(rail, charge)
  if (view) await applyChargeView(deps, rail, charge, view)
  return view
}

/**
 * What a provider that charges at once has answered finally only changes by what it calls us back for, weeks later. Of what we have closed
 * its own word counts: it may still take the money of what it shows as open, as paid without the money, or does not show yet.
 */
function isOver({ adapter }: ChargeRail, { state, data }: Charge, { view }: Look): boolean {
  if (!adapter.chargesImmediately || state === 'open' || data === null) return false
  if (state === 'paid') return true
  if (!view || view.status === 'open') return false
  return view.status !== 'paid' || view.receivedPayments.length > 0
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
