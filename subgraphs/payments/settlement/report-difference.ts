import type { Transaction } from '../../../kernel/database.js'
import type { LedgerEntry } from '../model/ledger-entries.js'
import { HOUSE } from '../model/house-entries.js'
import type { Runtime } from '../model/runtime.js'
import type { Difference } from '../store/differences.js'
import type { Stores } from '../store/stores.js'
import { alertJob } from './alert-job.js'

/** What telling of a difference needs. */
export type ReportDifferenceDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'differences' | 'ledger'>

/**
 * Writes down that books and world differ, and tells an operator once.
 * @param entry moves what nobody can explain into suspense, once, in a transaction before
 */
export async function reportDifference(
  { differences, ledger, clock }: ReportDifferenceDeps,
  found: Difference,
  entry?: LedgerEntry,
): Promise<void> {
  const report = (em: Transaction): Promise<void> => reportIn({ differences }, em, found)
  // What is booked is told in the same transaction; what was booked before is told again, should it have been closed.
  const isNew = entry !== undefined && (await ledger.bookOnce({ ...HOUSE, at: clock.now() }, entry, report))
  if (!isNew) await ledger.transaction(report)
}

/** Writes down in a transaction that books and world differ, and tells an operator once, with its commit. */
export async function reportIn(
  { differences }: Pick<ReportDifferenceDeps, 'differences'>,
  em: Transaction,
  found: Difference,
): Promise<void> {
  const { expected = '', actual = '', currency = '', details = '' } = found
  const amounts = expected === '' && actual === '' ? '' : `${actual} instead of ${expected} ${currency}`
  const told = [amounts, details].filter((text) => text !== '').join(': ')
  await differences.report(em, found, (subject) => alertJob({ kind: 'books_differ', subject, details: told }))
}
