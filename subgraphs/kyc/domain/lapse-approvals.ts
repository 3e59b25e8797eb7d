import type { KycDeps } from '../deps.js'
import { changePerson, type ChangePersonDeps } from './change-person.js'

export type LapseApprovalsDeps = ChangePersonDeps & Pick<KycDeps, 'sessions' | 'transaction'>

/**
 * Marks approvals that are over as expired, and tells the tenants. Reads see an approval as expired from its very end on;
 * this only writes down what they see.
 */
export async function lapseApprovals(deps: LapseApprovalsDeps): Promise<void> {
  for (const { tenantId, id } of await deps.people.lapsed()) {
    await deps.transaction(async (em) => {
      const person = await deps.people.lockById(em, tenantId, id)
      const isOver = person?.status === 'approved' && person.approvedUntil && person.approvedUntil <= deps.clock.now()
      if (!person || !isOver) return
      const session = person.sessionId === null ? undefined : await deps.sessions.findIn(em, tenantId, person.sessionId)
      await changePerson(deps, em, person, { session, change: { status: 'expired' }, cause: 'approval_lapsed' })
    })
  }
}
