import type { Transaction } from '../../../kernel/database.js'
import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import type { KycSession } from '../store/session.entity.js'
import type { SubjectKind } from '../verifiers/verifier.js'
import { isOpen, statusNow } from './kyc-status.js'

/**
 * The newest of a person's sessions that can be gone on with, as a kind of subject. It need not be the one that counts: where another
 * kind was asked for since, it goes on beside that.
 * @param sessions the person's, oldest first
 */
export function openSessionOf(
  person: Person,
  subjectKind: SubjectKind,
  sessions: readonly KycSession[],
): KycSession | undefined {
  return sessions.findLast(
    (session) =>
      session.subjectKind === subjectKind &&
      session.providerSessionId !== null &&
      isOpen(session.status) &&
      (session.id === person.sessionId || ownsAllSessions(person)),
  )
}

/**
 * Whether a session beside which another kind of subject was asked for counts for its person by what the provider says now: it was
 * under way, it is approved, and the one that has counted since is not.
 */
export async function countsAgain(
  { clock, sessions }: Pick<KycDeps, 'clock' | 'sessions'>,
  em: Transaction,
  person: Person,
  { before, after }: { before: KycSession; after: KycSession },
): Promise<boolean> {
  const isApprovedNow = isOpen(before.status) && after.status === 'approved'
  if (!isApprovedNow || person.sessionId === null || statusNow(person, clock.now()) === 'approved') return false
  const counting = await sessions.findIn(em, person.tenantId, person.sessionId)
  return counting !== undefined && counting.subjectKind !== after.subjectKind && ownsAllSessions(person)
}

/** Of people who were parted from another (migration 0002), who are new subjects to the provider, older sessions may be the other's. */
function ownsAllSessions({ id, subjectRef }: Person): boolean {
  return subjectRef === id
}
