import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import type { KycSession } from '../store/session.entity.js'
import { applyDecision, type ApplyDecisionDeps } from './apply-decision.js'
import type { KycStatus } from './kyc-status.js'

/**
 * After what time a session is asked for again, in milliseconds. Providers repeat a callback that failed twice at most
 * (Didit: after 1 and 4 minutes), so a lost one is made up for here. Clients that wait for a decision ask often; an approval
 * that the provider takes back, or a refusal that its staff overturns, is rare.
 */
const STALE_AFTER_MS: Readonly<Record<KycStatus, number>> = {
  pending: 15_000,
  in_review: 15_000,
  approved: 86_400_000,
  declined: 3_600_000,
  abandoned: 3_600_000,
  expired: 86_400_000,
}

export type RefreshSessionDeps = ApplyDecisionDeps & Pick<KycDeps, 'log' | 'sessionById' | 'verifierOf'>

/**
 * A person as the provider knows them, asked only where what is stored is stale. A provider that does not answer changes
 * nothing.
 */
export async function refreshPerson(deps: RefreshSessionDeps, person: Person): Promise<Person> {
  const session = person.sessionId === null ? undefined : await deps.sessionById(person.tenantId, person.sessionId)
  if (!session?.providerSessionId || !isStale(session, deps.clock.now())) return person
  const askedAt = await deps.sessions.now()
  try {
    const decision = await deps.verifierOf(session.verifier)?.getDecision(session.providerSessionId)
    if (!decision) return person
    return (await applyDecision(deps, session, { decision, askedAt, cause: 'provider_asked' })) ?? person
  } catch (error) {
    deps.log.warn({ err: error, sessionId: session.id }, 'a verification session could not be refreshed')
    return person
  }
}

function isStale({ status, checkedAt }: KycSession, now: Date): boolean {
  return now.getTime() - checkedAt.getTime() > STALE_AFTER_MS[status]
}
