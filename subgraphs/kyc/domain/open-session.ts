import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import { ProviderError, type ProviderErrorKind } from '../../../kernel/provider-error.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import type { KycSession } from '../store/session.entity.js'
import type { SubjectKind, Verifier, VerifierSession } from '../verifiers/verifier.js'
import { changePerson, type ChangePersonDeps } from './change-person.js'
import { approvalEnd, isOpen } from './kyc-status.js'
import { assertQuotaLeft, quotaOwner } from './quota.js'

export type SessionOutcome = 'created' | 'resumed' | 'already_approved'

/** The session that the person continues, or the one that approved them. */
export interface CreatedKycSession {
  outcome: SessionOutcome
  session: KycSession
}

/** Failures after which the provider has certainly begun nothing. */
const NOTHING_BEGUN: ReadonlySet<ProviderErrorKind> = new Set([
  'auth',
  'conflict',
  'declined',
  'invalid_request',
  'not_found',
  'rate_limited',
])

export type OpenSessionDeps = ChangePersonDeps & Pick<KycDeps, 'sessions' | 'settings' | 'transaction' | 'verifier'>

/** Who is to be verified, as what, and for which integration. */
interface AskedSession {
  person: Person
  subjectKind: SubjectKind
  tenant: Pick<Tenant, 'id' | 'publicClientId'>
}

/**
 * Takes a slot of the quota, has the provider begin a session, and makes it the one that counts for the person. A slot
 * whose provider did not answer is kept: the next request takes it, and the provider gives the session that it may have
 * begun again.
 * @param complete stores the answer in the last transaction
 * @throws verify_quota_exceeded, provider_unavailable, provider_timeout
 */
export async function openSession<Answer>(
  deps: OpenSessionDeps,
  asked: AskedSession,
  complete: (em: Transaction, created: CreatedKycSession) => Promise<Answer>,
): Promise<Answer> {
  const { verifier } = deps
  const { person, subjectKind } = asked
  if (!verifier?.verifies(subjectKind)) {
    throw new AppError('provider_unavailable', { message: `No provider verifies a ${subjectKind} here.` })
  }
  let place = await takePlace(deps, verifier, asked)
  if (place.providerSessionId !== null) {
    return deps.transaction((em) => complete(em, { outcome: 'resumed', session: place }))
  }
  const opened = await begin(deps, verifier, place, person)
  const known = await deps.sessions.findByProvider(verifier.name, opened.sessionId)
  if (known?.personId === person.id && known.id !== place.id) {
    // The provider resumes a session that we had dropped: no new one was created.
    await deps.sessions.release(place)
    place = known
  }
  return deps.transaction(async (em) => {
    const now = await deps.people.lockById(em, person.tenantId, person.id)
    if (!now) throw new AppError('user_not_prepared')
    const session = await deps.sessions.open(em, place, opened)
    // A concurrent request got the same session, and has appended its event.
    if (now.sessionId === session.id) return complete(em, { outcome: 'resumed', session })
    const { id: sessionId, status } = session
    const approvedUntil = approvalEnd(status, deps.clock.now(), deps.settings.approvalLifeMs)
    const change = { sessionId, status, approvedUntil }
    await changePerson(deps, em, now, { session, change, cause: 'session_created' })
    return complete(em, { outcome: 'created', session })
  })
}

/** A slot of this person that was taken before and not filled, or a new one; or the session that has begun meanwhile. */
async function takePlace(
  deps: OpenSessionDeps,
  verifier: Verifier,
  { person: { tenantId, id }, subjectKind, tenant }: AskedSession,
): Promise<KycSession> {
  return deps.transaction(async (em) => {
    await deps.sessions.lockQuota(em, quotaOwner(tenant))
    const person = await deps.people.lockById(em, tenantId, id)
    if (!person) throw new AppError('user_not_prepared')
    const sessions = (await deps.sessions.ofPerson(em, tenantId, id)).filter(
      (session) => session.verifier === verifier.name && session.subjectKind === subjectKind,
    )
    const begun = sessions.find((session) => session.id === person.sessionId && isOpen(person.status))
    const unfilled = sessions.find(({ providerSessionId }) => providerSessionId === null)
    const place = begun ?? unfilled
    if (place) return place
    await assertQuotaLeft(deps, tenant, { em })
    const owner = quotaOwner(tenant)
    return deps.sessions.reserve(em, { ...owner, personId: id, verifier: verifier.name, subjectKind })
  })
}

async function begin(
  { sessions }: OpenSessionDeps,
  verifier: Verifier,
  place: KycSession,
  { subjectRef }: Person,
): Promise<VerifierSession> {
  try {
    return await verifier.createOrResumeSession({ subjectRef, kind: place.subjectKind })
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error
    if (cause instanceof ProviderError && NOTHING_BEGUN.has(cause.kind)) await sessions.release(place)
    throw error
  }
}
