import { AppError } from '../../../../kernel/errors.js'
import type { Person } from '../../../../kernel/tenant.js'
import type { Runtime } from '../../model/runtime.js'
import { settleChainJob } from '../../settlement/settlement-jobs.js'
import { lockReleased, releaseLocked, type ReleasePayoutsDeps } from '../../settlement/release-payouts.js'
import type { DecidedAction, Intervention, InterventionAction } from '../../store/interventions.js'
import type { Proposal } from '../../store/proposals.js'
import type { Stores } from '../../store/stores.js'
import { readReason } from './read-reason.js'
import { agree, type TwoPeopleDeps } from './two-people.js'

/** What deciding about payouts needs. */
export type DecideOnPayoutDeps = TwoPeopleDeps &
  ReleasePayoutsDeps &
  Pick<Runtime, 'newId'> &
  Pick<Stores, 'interventions'>

/** A decision as it stands; `proposed` waits for another person. */
export interface PayoutDecision extends Omit<
  Intervention<DecidedAction>,
  'chainName' | 'state' | 'orderedBy' | 'orderedAt'
> {
  /** Null of a proposal. */
  chainName: string | null
  state: Intervention['state'] | 'proposed'
  orderedBy: string | null
  orderedAt: Date | null
}

/**
 * Decides about a transaction of the treasury that holds payouts, as `npm run ledger -- retry|cancel|resolve` does: the
 * decision is written down, and a worker carries it out or refuses it.
 * @param input.transaction its id or the hash of one of its versions
 * @throws not_found where there is none, invalid_parameters where another decision about it is not carried out yet,
 *   validation_error on `reason`
 */
export async function decideOnPayout(
  deps: DecideOnPayoutDeps,
  operator: Person,
  input: { action: InterventionAction; transaction: string; reason: string },
): Promise<PayoutDecision> {
  const reason = readReason(input.reason)
  const { interventions, newId } = deps
  const { action } = input
  const found = await interventions.findTransaction(input.transaction)
  if (!found) throw new AppError('not_found', { message: 'The treasury has no such transaction.' })
  return interventions.transaction(async (em) => {
    const agreement = await agree(deps, em, operator, { action, subject: found.batchId, reason })
    if (!agreement.isAgreed) return proposed(agreement.proposal)
    const given = { id: newId(), ...found, action, reason, orderedBy: operator.email, proposedBy: agreement.proposedBy }
    const ordered = await interventions.order(em, given, settleChainJob(found.chainName))
    if (ordered) return ordered
    throw new AppError('invalid_parameters', { message: 'Another decision about it is not carried out yet.' })
  })
}

/**
 * Has a payment's receivers paid although something holds them, as `npm run ledger -- release` does.
 * @throws not_found where nothing of it is held, validation_error on `reason`
 */
export async function releaseHeldPayouts(
  deps: DecideOnPayoutDeps,
  operator: Person,
  input: { paymentId: string; reason: string },
): Promise<PayoutDecision> {
  const reason = readReason(input.reason)
  const { interventions, newId } = deps
  const { paymentId } = input
  return interventions.transaction(async (em) => {
    // Before the sum is counted: what would be held in between is let go with it, above any sum that needs two people.
    const payment = await lockReleased(deps, em, paymentId)
    const agreement = await agree(deps, em, operator, { action: 'release', subject: paymentId, reason })
    if (!agreement.isAgreed) return proposed(agreement.proposal)
    const released = payment && (await releaseLocked(deps, em, payment))
    if (!released) throw new AppError('not_found', { message: 'Nothing of this payment is held.' })
    const { count, stopped, chainName } = released
    const by = { orderedBy: operator.email, proposedBy: agreement.proposedBy }
    const given = { id: newId(), chainName, batchId: paymentId, action: 'release' as const, reason, ...by }
    const why = 'money of their payer was taken back by force, or may be'
    const result = `${count} payouts may be paid` + (stopped > 0 ? `, and ${stopped} may not: ${why}` : '')
    return interventions.record(em, given, result)
  })
}

/** A proposal in the form of a decision; it has no number of its own. */
export function proposed({ action, subject, reason, proposerEmail }: Proposal): PayoutDecision {
  const open = { chainName: null, orderedBy: null, orderedAt: null, result: null, endedAt: null }
  const id = `${action}:${subject}`
  return { id, batchId: subject, action, reason, proposedBy: proposerEmail, state: 'proposed', ...open }
}
