import { AppError } from '../../../kernel/errors.js'
import { idempotently } from '../../../kernel/idempotency.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import type { KycSession } from '../store/session.entity.js'
import type { SubjectKind } from '../verifiers/verifier.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'
import { identitiesOf, type Identity, type NamedIdentity } from './identity.js'
import { openSessionOf } from './kept-sessions.js'
import { isOpen, statusNow } from './kyc-status.js'
import { openSession, type CreatedKycSession, type SessionOutcome, type OpenSessionDeps } from './open-session.js'
import { refreshPerson, type RefreshSessionDeps } from './refresh-session.js'

export interface CreateKycSessionInput extends NamedIdentity {
  /** A natural person where it is left out. */
  subjectKind?: SubjectKind | null
}

/** What the idempotency key keeps; the page's address is read from the session again. */
interface SessionAnswer {
  outcome: SessionOutcome
  sessionId: string
  providerStatus: string | null
}

const ERASED_SINCE =
  'The person whose session this Idempotency-Key began was erased: prepare them again, and use another key.'

type CreateKycSessionDeps = OpenSessionDeps & RefreshSessionDeps & Pick<KycDeps, 'logAccess' | 'pool'>

/**
 * Creates the hosted session of a person who is prepared and proved, or gives their open one. Asking again never
 * makes a second one: the provider knows the subject by our id. A person and a company have a session each, of which the one that was
 * asked for last counts; the other goes on, is given again where its kind is asked for, and counts once it is approved.
 * @throws product_disabled, missing_params, user_not_prepared, identity_not_verified, verify_quota_exceeded,
 *   provider_unavailable, provider_timeout, idempotency_*
 */
export async function createKycSession(
  deps: CreateKycSessionDeps,
  tenant: Tenant,
  input: CreateKycSessionInput,
): Promise<CreatedKycSession> {
  assertKycEnabled(tenant)
  const identities = identitiesOf(input)
  const answer = await idempotently<SessionAnswer>(deps, tenant, async (complete) => {
    const known = await findProved(deps, tenant, identities)
    await deps.logAccess(tenant.id, known.id, 'create-kyc-session')
    const subjectKind = input.subjectKind ?? 'person'
    await refreshPerson(deps, known)
    await refreshKept(deps, known, subjectKind)
    const [record] = await deps.sessions.findRecords(tenant.id, [known.id])
    if (!record) throw new AppError('user_not_prepared')
    const { person, session } = record
    const goingOn = session && sessionGoingOn(deps, { person, session }, subjectKind)
    if (goingOn) {
      const resumed = answerOf(goingOn)
      await deps.transaction((em) => complete(em, resumed))
      return resumed
    }
    return openSession(deps, { person, subjectKind, tenant }, async (em, opened) => {
      const opening = answerOf(opened)
      await complete(em, opening)
      return opening
    })
  })
  const [session] = await deps.sessions.findMany(tenant.id, [answer.sessionId])
  if (!session) throw new Error('an idempotency key names a session that does not exist')
  if (session.personId === null) throw new AppError('user_not_prepared', { message: ERASED_SINCE })
  return { outcome: answer.outcome, session: { ...session, providerStatus: answer.providerStatus } }
}

function answerOf({ outcome, session }: CreatedKycSession): SessionAnswer {
  return { outcome, sessionId: session.id, providerStatus: session.providerStatus }
}

async function findProved(
  deps: CreateKycSessionDeps,
  tenant: Tenant,
  identities: readonly Identity[],
): Promise<Person> {
  for (const identity of identities) {
    const person = await deps.people.find(tenant.id, identity)
    if (!person) continue
    if (!person.verifiedAt) throw new AppError('identity_not_verified')
    return person
  }
  throw new AppError('user_not_prepared')
}

/** Asks the provider, where that is due, for the open session of a kind that does not count at present. */
async function refreshKept(deps: CreateKycSessionDeps, person: Person, subjectKind: SubjectKind): Promise<void> {
  if (person.sessionId === null) return
  const sessions = await deps.transaction((em) => deps.sessions.ofPerson(em, person.tenantId, person.id))
  const kept = openSessionOf(person, subjectKind, sessions)
  if (kept && kept.id !== person.sessionId) await refreshPerson(deps, { ...person, sessionId: kept.id })
}

/** The session by which no new one is needed. */
function sessionGoingOn(
  { clock }: Pick<KycDeps, 'clock'>,
  { person, session }: { person: Person; session: KycSession },
  subjectKind: SubjectKind,
): CreatedKycSession | undefined {
  if (statusNow(person, clock.now()) === 'approved') return { outcome: 'already_approved', session }
  if (!isOpen(person.status) || session.subjectKind !== subjectKind) return undefined
  return { outcome: 'resumed', session }
}
