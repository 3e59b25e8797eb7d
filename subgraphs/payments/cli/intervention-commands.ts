import { userInfo } from 'node:os'
import { systemClock } from '../../../kernel/clock.js'
import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import type { Database } from '../../../kernel/database.js'
import { idSource } from '../../../kernel/ids.js'
import { settleChainJob } from '../settlement/settlement-jobs.js'
import { interventionsStore, type InterventionAction } from '../store/interventions.js'
import type { Answer } from './answer.js'
import { untilCarriedOut } from './until-carried-out.js'

/**
 * `retry`, `cancel` and `resolve` of one of the treasury's transactions. The decision is written down here; a worker, which
 * has the keys and knows the chain, carries it out or refuses it.
 * @returns the decision with what came of it; code 1 where it was refused, or nobody has carried it out within 20 seconds
 * @throws UsageError
 */
export async function intervene(db: Database, action: InterventionAction, [id, ...args]: readonly string[]): Answer {
  if (id === undefined || id.startsWith('--')) throw new UsageError('Which transaction?')
  const values = readOptions(args, { reason: { type: 'string' }, by: { type: 'string' } })
  const reason = action === 'resolve' || values['reason'] !== undefined ? neededOption(values, 'reason') : null
  const orderedBy = values['by'] === undefined ? userInfo().username : neededOption(values, 'by')
  const store = interventionsStore(db, systemClock)
  const transaction = await store.findTransaction(id)
  if (!transaction) throw new UsageError(`There is no transaction ${id} of the treasury.`)
  const given = { id: idSource(() => systemClock.now())(), ...transaction, action, reason, orderedBy, proposedBy: null }
  const job = settleChainJob(transaction.chainName)
  const ordered = await store.transaction((em) => store.order(em, given, job))
  if (!ordered) throw new UsageError(`Another decision about ${id} is not carried out yet.`)
  return untilCarriedOut(ordered, () => store.find(ordered.id))
}
