import { AppError } from '../../../kernel/errors.js'
import { actorOfSession, openSession, type SessionHashes } from './change-session.js'
import type { PeopleDeps } from './deps.js'
import { lastEndedInvitation, type ReceivedInvitation, type TakenInvitation } from './store/invitations.js'

type AnswerDeps = Pick<
  PeopleDeps,
  'clock' | 'invitations' | 'people' | 'sessions' | 'settings' | 'transaction' | 'writeAct'
>

/** What an address is invited to now. */
export function receivedInvitations(
  deps: Pick<PeopleDeps, 'clock' | 'invitations'>,
  email: string,
): Promise<ReceivedInvitation[]> {
  return deps.invitations.received(email, lastEndedInvitation(deps.clock.now()))
}

/**
 * Makes the person of a session a member of the tenant that invited the person's address, and chooses it.
 * @throws unauthorized where there is no such session, not_found where there is no such invitation any more
 */
export async function acceptInvitation(
  deps: AnswerDeps,
  { hash, newHash }: SessionHashes,
  invitationId: string,
): Promise<void> {
  const session = await openSession(deps, hash)
  const { personId, email } = session
  await deps.transaction(async (em) => {
    const { tenantId, role, createdAt } = await taken(deps, em, { id: invitationId, email })
    await deps.people.join(em, { tenantId, personId, role, now: deps.clock.now(), invitedAt: createdAt })
    if (!(await deps.sessions.change(em, hash, { hash: newHash, tenantId }))) throw new AppError('unauthorized')
    const subjects = { invitationId }
    await deps.writeAct(em, { ...actorOfSession(session, tenantId), operation: 'acceptInvitation', subjects })
  })
}

/** Declines an invitation: it is gone, and its tenant sends no other one for some days. @throws as `acceptInvitation` */
export async function declineInvitation(
  deps: AnswerDeps & Pick<PeopleDeps, 'invitationDeclines'>,
  hash: string,
  invitationId: string,
): Promise<void> {
  const session = await openSession(deps, hash)
  const { email } = session
  await deps.transaction(async (em) => {
    const { tenantId } = await taken(deps, em, { id: invitationId, email })
    await deps.invitationDeclines.note(em, { tenantId, email }, deps.clock.now())
    const subjects = { invitationId }
    await deps.writeAct(em, { ...actorOfSession(session, tenantId), operation: 'declineInvitation', subjects })
  })
}

async function taken(
  deps: AnswerDeps,
  em: Parameters<AnswerDeps['invitations']['take']>[0],
  invitation: { id: string; email: string },
): Promise<TakenInvitation> {
  const found = await deps.invitations.take(em, { ...invitation, after: lastEndedInvitation(deps.clock.now()) })
  if (!found) throw new AppError('not_found', { message: 'No such invitation.' })
  return found
}
