import { AppError } from '../../../kernel/errors.js'
import { ProviderError } from '../../../kernel/provider-error.js'
import type { PaymentsDeps } from '../deps.js'
import type { ChargeView } from '../rails/charge-desk.js'
import type { ChargeRail } from '../rails/rail.js'
import type { Charge } from '../store/charge.entity.js'
import { applyChargeView } from './apply-charge.js'
import { EXPIRY_GRACE_MS } from './charge-end.js'
import { watchJob, type ChargeJob } from './charge-jobs.js'
import { delayByAge } from './delay-by-age.js'
import { endIfNeverMade } from './end-charge.js'

const LOOK_AGAIN = { shortestMs: 15_000, longestMs: 900_000 }

/**
 * The job that asks the provider about a charge until a day after its expiry: callbacks may be lost, and of an expiry or a
 * removal none comes at all.
 */
export async function watchCharge(deps: PaymentsDeps, job: ChargeJob): Promise<void> {
  const charge = await deps.charges.find(job.tenantId, job.chargeId)
  const rail = charge && chargeRailOf(deps, charge.rail)
  if (!charge || !rail) return
  await lookAtCharge(deps, rail, charge).catch((error: unknown) => {
    if (!(error instanceof ProviderError || error instanceof AppError)) throw error
    deps.log.warn({ paymentId: charge.paymentId, err: error }, 'a charge could not be looked at')
  })
  const next = isOver(rail, charge) ? undefined : nextLook(charge, deps.clock.now())
  if (next) await deps.addJobNow(watchJob(charge, next))
}

/**
 * Asks the provider about a charge, and brings its payment up to the answer.
 * @returns what the provider shows; undefined where it has no such charge
 * @throws ProviderError
 */
export async function lookAtCharge(
  deps: PaymentsDeps,
  rail: ChargeRail,
  charge: Charge,
): Promise<ChargeView | undefined> {
  const view = await rail.desk.look(charge.reference)
  if (view) await applyChargeView(deps, charge, view)
  else await endIfNeverMade(deps, rail, charge)
  return view
}

/** The rail that made a charge; undefined where the deployment does not use it any more. */
export function chargeRailOf({ rails }: Pick<PaymentsDeps, 'rails'>, name: string): ChargeRail | undefined {
  return rails.find((rail): rail is ChargeRail => rail.kind === 'charge' && rail.name === name)
}

/** What a provider that charges at once has answered finally only changes by what it calls us back for, weeks later. */
function isOver({ desk }: ChargeRail, { state, data }: Charge): boolean {
  return desk.chargesAtOnce && state !== 'open' && data !== null
}

/**
 * When to look again: soon while it is young, and right after it has expired. What is paid changes only by a return, of
 * which a callback tells.
 */
function nextLook(charge: Charge, now: Date): Date | undefined {
  if (now > charge.watchUntil) return undefined
  if (charge.state === 'paid') return new Date(now.getTime() + LOOK_AGAIN.longestMs)
  const next = now.getTime() + delayByAge(charge.createdAt, now, LOOK_AGAIN)
  const expiredAt = charge.expiresAt.getTime() + EXPIRY_GRACE_MS + 1
  return new Date(now.getTime() < expiredAt ? Math.min(next, expiredAt) : next)
}
