import { systemClock } from '../../../kernel/clock.js'
import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { addJob } from '../../../kernel/jobs.js'
import { reconcileJob, type ReconcileJob } from '../domain/reconciliation/reconcile-jobs.js'
import { correctedBalanceEntry, explainedEntry, HOUSE } from '../model/house-entries.js'
import type { LedgerEntry } from '../model/ledger-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import { differencesStore, type ResolvedDifference } from '../store/differences.js'
import { ledgerStore } from '../store/ledger.js'

const LISTED_MAX = 1_000

/** The chains and providers that the books know. */
const KNOWN = `select distinct chain_name as name, 'chain' as kind from payments.treasury_transaction
  union select distinct rail, 'rail' from payments.charge`

/** Has a worker compare the books. @throws UsageError */
export async function requestReconciliation(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { chain: { type: 'string' }, provider: { type: 'string' } })
  const named: ReconcileJob[] = [
    ...(typeof values['chain'] === 'string' ? [{ chainName: values['chain'] }] : []),
    ...(typeof values['provider'] === 'string' ? [{ rail: values['provider'] }] : []),
  ]
  return inTransaction(db, async (em) => {
    const known = await executeIn<{ name: string; kind: string }>(em, KNOWN, [])
    const all = known.map(({ name, kind }): ReconcileJob => (kind === 'chain' ? { chainName: name } : { rail: name }))
    const jobs = named.length > 0 ? named : all
    for (const job of jobs) await addJob(em, systemClock, reconcileJob(job))
    return { requested: jobs }
  })
}

/** The differences. @throws UsageError */
export function listDifferences(db: Database, args: readonly string[]): Promise<object> {
  const isClosedToo = readOptions(args, { all: { type: 'boolean' } })['all'] === true
  return differencesStore(db, systemClock).list({ isClosedToo, limit: LISTED_MAX })
}

/** Closes a difference for a reason, and books whose the money is. @throws UsageError */
export async function resolve(
  db: Database,
  [id = '', ...args]: readonly string[],
): Promise<{ answer: object; code: number }> {
  if (!/^\d{1,18}$/.test(id)) throw new UsageError('Which difference? Its id is a number of `differences`.')
  const values = readOptions(args, { reason: { type: 'string' }, as: { type: 'string' } })
  const reason = neededOption(values, 'reason')
  const as = values['as']
  if (as !== undefined && as !== 'owner' && as !== 'loss') throw new UsageError('--as has to be owner or loss.')
  return inTransaction(db, async (em) => {
    const resolved = await differencesStore(db, systemClock).resolve(em, id, reason)
    if (!resolved) return { answer: { id, resolved: false }, code: 1 }
    const entry = entryOf(`${id}:${resolved.foundMs}`, resolved, as)
    if (entry) await ledgerStore(db).book(em, { ...HOUSE, at: systemClock.now() }, entry)
    return { answer: { id, resolved: true, booked: entry?.entry ?? null }, code: 0 }
  })
}

/** Those whose money stands in suspense. */
const IN_SUSPENSE = ['unmatched_money', 'unknown_transfer', 'paid_twice', 'payout_missing']

/** @throws UsageError where it has to be said whose the money is, or there is none */
function entryOf(
  name: string,
  resolved: ResolvedDifference,
  as: 'owner' | 'loss' | undefined,
): LedgerEntry | undefined {
  const { kind, subject, expected, actual, currency } = resolved
  const [place = ''] = subject.split(':')
  const isSuspense = IN_SUSPENSE.includes(kind)
  if (!isSuspense && kind !== 'wrong_balance') {
    if (as !== undefined) throw new UsageError(`--as has no meaning for ${kind}: nothing is booked for it.`)
    return undefined
  }
  if (as === undefined) throw new UsageError('--as is needed: whose is the money, owner or loss?')
  const to = as === 'owner' ? 'owner' : 'loss:payout'
  if (kind === 'wrong_balance') {
    const amount = amountOf(unitsOf(actual ?? '0') - unitsOf(expected ?? '0'))
    return correctedBalanceEntry(name, place, to, { amount, currency: currency ?? '' })
  }
  // A payout that is missing has left its amount with the treasury.
  const amount = kind === 'payout_missing' ? (expected ?? '0') : (actual ?? '0')
  return explainedEntry(name, place, to, { amount, currency: currency ?? '' })
}
