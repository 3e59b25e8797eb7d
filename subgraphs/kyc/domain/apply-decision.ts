import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import type { KycSession } from '../store/session.entity.js'
import type { VerifierDecision } from '../verifiers/verifier.js'
import { changePerson, type ChangePersonDeps } from './change-person.js'
import { countsAgain } from './kept-sessions.js'
import { approvalEnd } from './kyc-status.js'

export type ApplyDecisionDeps = ChangePersonDeps & Pick<KycDeps, 'sessions' | 'settings' | 'transaction'>

/**
 * Stores what the provider was asked at `askedAt`, by the database's clock, about a session; an answer that was overtaken by a
 * newer one changes nothing, so it does not matter in which order callbacks arrive, or how often.
 * @returns the person as they are then; undefined where they were erased
 */
export async function applyDecision(
  deps: ApplyDecisionDeps,
  session: KycSession,
  { decision, askedAt, cause }: { decision: VerifierDecision; askedAt: Date; cause: string },
): Promise<Person | undefined> {
  const { tenantId, personId } = session
  if (personId === null) return undefined
  return deps.transaction(async (em) => {
    const person = await deps.people.lockById(em, tenantId, personId)
    if (!person) return undefined
    const before = await deps.sessions.findIn(em, tenantId, session.id)
    const after = await deps.sessions.decide(em, session, decision, askedAt)
    if (!before || !after || !differs(before, after)) return person
    const counts = person.sessionId === session.id || (await countsAgain(deps, em, person, { before, after }))
    if (!counts) return person
    // A status that has not changed says nothing new: an approval that has lapsed meanwhile does not come back by it.
    if (after.status === before.status) return changePerson(deps, em, person, { session: after, change: {}, cause })
    const { status } = after
    const approvedUntil = approvalEnd(status, deps.clock.now(), deps.settings.approvalLifeMs)
    const change = { sessionId: session.id, status, approvedUntil }
    return changePerson(deps, em, person, { session: after, change, cause })
  })
}

/** Whether a tenant would see the difference. */
function differs(before: KycSession, after: KycSession): boolean {
  return (
    before.providerStatus !== after.providerStatus ||
    before.isBlocklisted !== after.isBlocklisted ||
    JSON.stringify(before.ipInfo) !== JSON.stringify(after.ipInfo)
  )
}
