import type { KycDeps } from '../deps.js'
import type { LapsedApproval } from '../store/people.js'
import { changePerson, type ChangePersonDeps } from './change-person.js'

export type LapseApprovalsDeps = ChangePersonDeps & Pick<KycDeps, 'sessions' | 'transaction' | 'log'>

/**
 * Marks approvals that are over as expired, and tells the tenants. Reads see an approval as expired from its very end on;
 * this only writes down what they see. One that cannot be written down keeps no other from it, and is tried again next time.
 */
export async function lapseApprovals(deps: LapseApprovalsDeps): Promise<void> {
  let last: LapsedApproval | undefined
  do {
    const lapsed = await deps.people.lapsed(last)
    for (const approval of lapsed) {
      try {
        await lapse(deps, approval)
      } catch (err) {
        deps.log.error({ err, personId: approval.id }, 'an approval that is over could not be written down as expired')
      }
    }
    last = lapsed.at(-1)
  } while (last)
}

async function lapse(deps: LapseApprovalsDeps, { tenantId, id }: LapsedApproval): Promise<void> {
  await deps.transaction(async (em) => {
    const person = await deps.people.lockById(em, tenantId, id)
    const isOver = person?.status === 'approved' && person.approvedUntil && person.approvedUntil <= deps.clock.now()
    if (!person || !isOver) return
    const session = person.sessionId === null ? undefined : await deps.sessions.findIn(em, tenantId, person.sessionId)
    await changePerson(deps, em, person, { session, change: { status: 'expired' }, cause: 'approval_lapsed' })
  })
}
