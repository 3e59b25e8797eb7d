import type { Runtime } from '../model/runtime.js'
import type { Stores } from '../store/stores.js'

/** What closing the ledger needs. */
export type CloseLedgerDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'ledger' | 'alerts'>

/** What came of closing: how far the ledger is closed, or why it was not. */
export interface ClosedLedger {
  closedTo: Date
  discrepancies: readonly string[]
}

/** So long a transaction may be on its way that has looked at the time before it books. */
export const CLOSE_AFTER_MS = 3_600_000

/**
 * Closes the ledger up to a time, once it is proved: a check after it reads only what came later, so that nothing may be closed
 * that is wrong.
 * @param to not part of what is closed, an hour past or more
 */
export async function closeLedger({ ledger }: Pick<Stores, 'ledger'>, to: Date): Promise<ClosedLedger> {
  const discrepancies = await ledger.findDiscrepancies()
  if (discrepancies.length > 0) return { closedTo: (await ledger.fence()).closedTo, discrepancies }
  return { closedTo: (await ledger.close(to)).closedTo, discrepancies }
}

/** The daily job: closes all days that are over, or tells an operator why that cannot be. */
export async function closeDays({ ledger, alerts, clock }: CloseLedgerDeps): Promise<void> {
  const dayMs = 24 * 3_600_000
  const lastMoment = clock.now().getTime() - CLOSE_AFTER_MS
  const { discrepancies } = await closeLedger({ ledger }, new Date(Math.floor(lastMoment / dayMs) * dayMs))
  const [first] = discrepancies
  if (first === undefined) return alerts.clear('books_differ', 'ledger')
  const details = `the ledger cannot be closed: ${first}${discrepancies.length > 1 ? `, and ${discrepancies.length - 1} more` : ''}`
  await alerts.raise({ kind: 'books_differ', subject: 'ledger', details })
}
