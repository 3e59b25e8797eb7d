import { ProviderError } from '../../../../kernel/provider-error.js'
import type { Runtime } from '../../model/runtime.js'
import type { Rails } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import { UnreadableRowError } from '../../rails/row-reader.js'
import type { Stores } from '../../store/stores.js'
import { eachStep } from './each-step.js'
import { syncFees, type SyncFeesDeps } from './sync-fees.js'
import { lookAtReceived, type LookAtReceivedDeps } from './look-at-received.js'
import { lookUps } from './look-ups.js'

/** What asking providers for what is new needs. */
export type SyncReceivedDeps = LookAtReceivedDeps &
  SyncFeesDeps &
  Rails &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'treasuryBooks'>

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Money is shown some time after it came: the end of the last list is read again. */
const OVERLAP_MS = 15 * MINUTE_MS
/** After a longer outage, or at first, this much is listed. */
const LONGEST_MS = 7 * DAY_MS
/** What went back is listed by when it had come: once an hour of the last days, of all others the nightly reconciliation. */
const REFUNDS_EVERY_MS = 60 * MINUTE_MS
const REFUNDED_MS = 7 * DAY_MS

/**
 * The periodic work that asks each provider what has come since the last time, a few calls for all charges together: callbacks may
 * be lost, and of some movements none comes at all. A provider that is away is asked again the next time, for all of it, and what one list
 * fails by keeps no other from being read.
 * @throws what the first of them failed by that is not the provider's failure, once all were read
 */
export async function syncReceived(deps: SyncReceivedDeps): Promise<void> {
  const listing = deps.rails.filter((rail): rail is ChargeRail => rail.kind === 'charge' && !!rail.adapter.listReceived)
  await eachStep(
    ...listing.map((rail) => async () => {
      await syncRail(deps, rail).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error
        deps.log.warn({ rail: rail.name, err: error }, 'a provider’s list could not be read')
      })
    }),
  )
}

function syncRail(deps: SyncReceivedDeps, rail: ChargeRail): Promise<void> {
  const to = deps.clock.now()
  return eachStep(
    () => syncNew(deps, rail, to),
    () => syncFeesOf(deps, rail, to),
    () => syncRefunded(deps, rail, to),
  )
}

async function syncNew(deps: SyncReceivedDeps, rail: ChargeRail, to: Date): Promise<void> {
  const scope = `received:${rail.name}`
  const last = await deps.treasuryBooks.syncedTo(scope)
  const from = Math.max(last ? last.getTime() - OVERLAP_MS : 0, to.getTime() - LONGEST_MS)
  await takeOver(deps, rail, { from: new Date(from), to, isRefundedOnly: false })
  await deps.treasuryBooks.markSynced(scope, to)
}

async function syncRefunded(deps: SyncReceivedDeps, rail: ChargeRail, to: Date): Promise<void> {
  const scope = `refunded:${rail.name}`
  const last = await deps.treasuryBooks.syncedTo(scope)
  if (last && to.getTime() - last.getTime() < REFUNDS_EVERY_MS) return
  await takeOver(deps, rail, { from: new Date(to.getTime() - REFUNDED_MS), to, isRefundedOnly: true })
  await deps.treasuryBooks.markSynced(scope, to)
}

/** After the list of what came, whose fees they are. Nothing is left out after an outage, however long: what was kept is listed once. */
async function syncFeesOf(deps: SyncReceivedDeps, rail: ChargeRail, to: Date): Promise<void> {
  if (!rail.adapter.listPayables) return
  const scope = `fees:${rail.name}`
  const last = await deps.treasuryBooks.syncedTo(scope)
  const from = new Date(last ? last.getTime() - OVERLAP_MS : to.getTime() - LONGEST_MS)
  const looks = lookUps(deps.log)
  const unread = await syncFees(deps, rail, { from, to }, looks).catch(unreadableOf)
  // A charge that could not be looked at, and a row that nobody can read, are looked at every night: the list need not be read from here on until then.
  await deps.treasuryBooks.markSynced(scope, to)
  if (unread) throw unread
  looks.end()
}

/** The failure of rows of a list that was read to its end. Throws all others. */
function unreadableOf(error: unknown): UnreadableRowError {
  if (error instanceof UnreadableRowError) return error
  throw error
}

/** Reads a list to its end: what is news is taken over on the way. */
async function takeOver(
  deps: SyncReceivedDeps,
  rail: ChargeRail,
  window: { from: Date; to: Date; isRefundedOnly: boolean },
): Promise<void> {
  const listed = rail.adapter.listReceived?.(window)
  if (!listed) return
  const look = { deps, rail, lookUps: lookUps(deps.log) }
  for await (const { listed: one, differences } of lookAtReceived(look, listed)) {
    if (differences.length === 0) continue
    const kinds = differences.map(({ kind }) => kind)
    deps.log.warn({ rail: rail.name, reference: one.reference, kinds }, 'a provider shows what no callback told')
  }
  look.lookUps.end()
}
