import type { Transaction } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import { ProviderError, type ProviderErrorKind } from '../../../kernel/provider-error.js'
import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import type { KycSession } from '../store/session.entity.js'
import type { SubjectKind, Verifier, VerifierSession } from '../verifiers/verifier.js'
import { changePerson, type ChangePersonDeps } from './change-person.js'
import { openSessionOf } from './kept-sessions.js'
import { approvalEnd, statusNow } from './kyc-status.js'
import { assertQuotaLeft, quotaOwner, type QuotaAsker } from './quota.js'

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
  tenant: QuotaAsker
}

/** A slot, and whether this request has reserved it: another's may still be waiting for the provider. */
interface TakenPlace {
  place: KycSession
  isOwn: boolean
}

/**
 * Takes a slot of the quota, has the provider begin a session, and makes it the one that counts for the person. A slot
 * whose provider did not answer is kept: the next request takes it, and the provider gives the session that it may have
 * begun again. Only the request that reserved a slot gives it back; after its death the slot soon counts no more.
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
  const { place, isOwn } = await takePlace(deps, verifier, asked)
  if (place.providerSessionId !== null) {
    return deps.transaction(async (em) => {
      const now = await lockPerson(deps, em, person)
      // As it is by now: what the provider has said meanwhile was stored behind the same lock.
      const session = (await deps.sessions.findIn(em, person.tenantId, place.id)) ?? place
      return complete(em, await makeCount(deps, em, now, { outcome: 'resumed', session }))
    })
  }
  const opened = await begin(deps, verifier, { place, isOwn }, person)
  return deps.transaction(async (em) => {
    const now = await lockPerson(deps, em, person)
    const known = (await deps.sessions.ofPerson(em, person.tenantId, person.id)).find(
      (other) => other.verifier === verifier.name && other.providerSessionId === opened.sessionId,
    )
    // The provider may resume a session that we had dropped: then no new one was created.
    if (known && known.id !== place.id) await deps.sessions.release(em, place)
    const session = await deps.sessions.open(em, known ?? place, opened)
    return complete(em, await makeCount(deps, em, now, { outcome: 'created', session }))
  })
}

async function lockPerson(
  { people }: Pick<OpenSessionDeps, 'people'>,
  em: Transaction,
  { tenantId, id }: Pick<Person, 'tenantId' | 'id'>,
): Promise<Person> {
  const person = await people.lockById(em, tenantId, id)
  if (!person) throw new AppError('user_not_prepared')
  return person
}

/** Makes a session the one that counts for a person who is not approved: an approval that came meanwhile is not lost to it. */
async function makeCount(
  deps: OpenSessionDeps,
  em: Transaction,
  person: Person,
  { outcome, session }: CreatedKycSession,
): Promise<CreatedKycSession> {
  // A concurrent request got the same session, and has appended its event.
  if (person.sessionId === session.id) return { outcome: 'resumed', session }
  const now = deps.clock.now()
  if (person.sessionId !== null && statusNow(person, now) === 'approved') {
    const approved = await deps.sessions.findIn(em, person.tenantId, person.sessionId)
    if (approved) return { outcome: 'already_approved', session: approved }
  }
  const { id: sessionId, status } = session
  const change = { sessionId, status, approvedUntil: approvalEnd(status, now, deps.settings.approvalLifeMs) }
  await changePerson(deps, em, person, { session, change, cause: `session_${outcome}` })
  return { outcome, session }
}

/** A slot of this person that was taken before and not filled, or a new one; or the session that has begun meanwhile. */
async function takePlace(
  deps: OpenSessionDeps,
  verifier: Verifier,
  { person: { tenantId, id }, subjectKind, tenant }: AskedSession,
): Promise<TakenPlace> {
  return deps.transaction(async (em) => {
    await deps.sessions.lockQuota(em, quotaOwner(tenant))
    const person = await lockPerson(deps, em, { tenantId, id })
    const sessions = (await deps.sessions.ofPerson(em, tenantId, id)).filter(
      (session) => session.verifier === verifier.name && session.subjectKind === subjectKind,
    )
    const begun = openSessionOf(person, subjectKind, sessions)
    const unfilled = sessions.find(({ providerSessionId }) => providerSessionId === null)
    const taken = begun ?? unfilled
    if (taken) return { place: taken, isOwn: false }
    await assertQuotaLeft(deps, tenant, { em })
    const owner = quotaOwner(tenant)
    const reserved = { ...owner, personId: id, verifier: verifier.name, subjectKind }
    return { place: await deps.sessions.reserve(em, reserved), isOwn: true }
  })
}

async function begin(
  { sessions, transaction }: OpenSessionDeps,
  verifier: Verifier,
  { place, isOwn }: TakenPlace,
  { subjectRef }: Person,
): Promise<VerifierSession> {
  try {
    return await verifier.createOrResumeSession({ subjectRef, kind: place.subjectKind })
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error
    const isNothingBegun = cause instanceof ProviderError && NOTHING_BEGUN.has(cause.kind)
    if (isNothingBegun && isOwn) await transaction((em) => sessions.release(em, place))
    throw error
  }
}
