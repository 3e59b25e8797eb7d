import { userInfo } from 'node:os'
import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { idSource } from '../../../kernel/ids.js'
import { settleChainJob } from '../settlement/settlement-jobs.js'
import { interventionsStore, type Intervention, type InterventionAction } from '../store/interventions.js'
import type { Answer, Books } from './answer.js'
import { untilCarriedOut } from './until-carried-out.js'

/**
 * `retry`, `cancel` and `resolve` of one of the treasury's transactions. The decision is written down here; a worker, which
 * has the keys and knows the chain, carries it out or refuses it.
 * @returns the decision with what came of it; code 1 where it was refused, or nobody has carried it out within 20 seconds
 * @throws UsageError
 */
export async function intervene(books: Books, action: InterventionAction, [id, ...args]: readonly string[]): Answer {
  if (id === undefined || id.startsWith('--')) throw new UsageError('Which transaction?')
  const values = readOptions(args, { reason: { type: 'string' }, by: { type: 'string' } })
  const reason = action === 'resolve' || values['reason'] !== undefined ? neededOption(values, 'reason') : null
  const store = interventionsStore(books.db, books.clock)
  const transaction = await store.findTransaction(id)
  if (!transaction) throw new UsageError(`There is no transaction ${id} of the treasury.`)
  return orderIntervention(books, transaction, { action, reason, orderedBy: orderedBy(values) })
}

/** Who decides: by default who runs the command. @throws UsageError */
export function orderedBy(values: Parameters<typeof neededOption>[0]): string {
  return values['by'] === undefined ? userInfo().username : neededOption(values, 'by')
}

/** Writes a decision down, and waits for what comes of it. @throws UsageError where another one is not carried out yet */
export async function orderIntervention(
  { db, clock }: Books,
  subject: Pick<Intervention, 'chainName' | 'batchId'>,
  decision: Pick<Intervention, 'action' | 'reason' | 'orderedBy'>,
): Answer {
  const store = interventionsStore(db, clock)
  const given = { id: idSource(() => clock.now())(), ...subject, ...decision, proposedBy: null }
  const job = settleChainJob(subject.chainName)
  const ordered = await store.transaction((em) => store.order(em, given, job))
  if (!ordered) throw new UsageError(`Another decision about ${subject.batchId} is not carried out yet.`)
  return untilCarriedOut(ordered, () => store.find(ordered.id))
}
