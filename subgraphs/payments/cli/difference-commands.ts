import { userInfo } from 'node:os'
import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { executeIn, inTransaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import { addJob } from '../../../kernel/jobs.js'
import { reconcileJob, type ReconcileJob } from '../domain/reconciliation/reconcile-jobs.js'
import { resolveDifference } from '../domain/reconciliation/resolve-difference.js'
import { differencesStore } from '../store/differences.js'
import { ledgerStore } from '../store/ledger.js'
import type { Answer, Books } from './answer.js'

const LISTED_MAX = 1_000

/** The chains and providers that the books know. */
const KNOWN = `select distinct chain_name as name, 'chain' as kind from payments.treasury_transaction
  union select distinct chain_name, 'chain' from payments.operator_transaction
  union select distinct rail, 'rail' from payments.charge`

/** Has a worker compare the books. @throws UsageError */
export async function requestReconciliation({ db, clock }: Books, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { chain: { type: 'string' }, provider: { type: 'string' } })
  const named: ReconcileJob[] = [
    ...(typeof values['chain'] === 'string' ? [{ chainName: values['chain'] }] : []),
    ...(typeof values['provider'] === 'string' ? [{ rail: values['provider'] }] : []),
  ]
  return inTransaction(db, async (em) => {
    const known = await executeIn<{ name: string; kind: string }>(em, KNOWN, [])
    const all = known.map(({ name, kind }): ReconcileJob => (kind === 'chain' ? { chainName: name } : { rail: name }))
    const jobs = named.length > 0 ? named : all
    for (const job of jobs) await addJob(em, clock, reconcileJob(job))
    return { requested: jobs }
  })
}

/** The differences. @throws UsageError */
export function listDifferences({ db, clock }: Books, args: readonly string[]): Promise<object> {
  const isClosedToo = readOptions(args, { all: { type: 'boolean' } })['all'] === true
  return differencesStore(db, clock).list({ isClosedToo, limit: LISTED_MAX })
}

/** Closes a difference for a reason, and books whose the money is. @throws UsageError */
export async function resolve({ db, clock }: Books, [id = '', ...args]: readonly string[]): Answer {
  if (!/^\d{1,18}$/.test(id)) throw new UsageError('Which difference? Its id is a number of `differences`.')
  const values = readOptions(args, { reason: { type: 'string' }, as: { type: 'string' } })
  const reason = neededOption(values, 'reason')
  const as = values['as']
  if (as !== undefined && as !== 'owner' && as !== 'loss' && as !== 'bank')
    throw new UsageError('--as has to be owner, loss or bank.')
  const deps = { differences: differencesStore(db, clock), ledger: ledgerStore(db), clock }
  try {
    const booked = await resolveDifference(deps, { id, reason, as, by: userInfo().username })
    return { answer: { id, resolved: true, booked }, code: 0 }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [wrong] = error.errors ?? []
    if (wrong) throw new UsageError(`--${wrong.field} ${wrong.message}`)
    return { answer: { id, resolved: false }, code: 1 }
  }
}
