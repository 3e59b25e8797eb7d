import type { EnabledChains } from '../../model/chain-access.js'
import type { Runtime } from '../../model/runtime.js'
import type { Rails } from '../../rails/find-rail.js'
import type { Stores } from '../../store/stores.js'

/** What telling of comparisons that do not come to their end needs. */
export type TellUncomparedDeps = EnabledChains &
  Rails &
  Pick<Runtime, 'clock'> &
  Pick<Stores, 'alerts' | 'reconciliations'>

/** A comparison is made each day: one that has not ended for so long has failed at least once. */
const LATE_MS = 36 * 3_600_000
/** One that has never ended begins anew each day. */
const FIRST_MS = 12 * 3_600_000

/**
 * Tells an operator which comparisons with chains and providers, and which lists of theirs, have not come to their end: books that nobody
 * compares look as right as those that are. Takes back what was told of those that have ended since.
 */
export async function tellUncompared(deps: TellUncomparedDeps): Promise<void> {
  const now = deps.clock.now().getTime()
  const scopes = new Set(scopesOf(deps))
  for (const { scope, begunAt, endedAt, skipped } of await deps.reconciliations.list()) {
    if (!scopes.has(scope)) continue
    const subject = `reconciliation:${scope}`
    const lastAt = endedAt ?? begunAt
    const isLate = now - new Date(lastAt).getTime() > (endedAt === null ? FIRST_MS : LATE_MS)
    if (!isLate && skipped === null) await deps.alerts.clear('books_differ', subject)
    else {
      const why = skipped === null ? '' : `: ${skipped}`
      const details = isLate ? `not compared since ${new Date(lastAt).toISOString()}${why}` : `not compared${why}`
      await deps.alerts.raise({ kind: 'books_differ', subject, details })
    }
  }
}

/** Of what the deployment has now: what it had once is compared with nothing any more. */
function scopesOf({ settings, rails }: EnabledChains & Rails): string[] {
  return [
    ...settings.chains.flatMap(({ name }) => [`chain:${name}`, `gas-payer:${name}`]),
    ...rails.flatMap(({ name }) => ['provider', 'received', 'refunded', 'fees'].map((what) => `${what}:${name}`)),
  ]
}
