import { AppError } from '../../../kernel/errors.js'
import type { SessionAct } from '../audit/write-act.js'
import { checkCode, sendCode } from './codes.js'
import type { PeopleDeps } from './deps.js'
import { findSession, type ConsoleSession } from './find-session.js'
import type { InvitationLanguage } from './invitation-message.js'

/** A session by its present hash, and the hash that it has from the change on. */
export interface SessionHashes {
  hash: string
  newHash: string
}

type ChangeDeps = Pick<PeopleDeps, 'clock' | 'people' | 'sessions' | 'settings' | 'transaction'>

/**
 * Chooses the tenant with which a session's next tab begins; a tab that is open goes on to show its own.
 * @param tenantId null for the deployment itself, which operators see
 * @throws unauthorized where there is no such session, not_found where the person does not belong to the tenant
 */
export async function chooseTenant(
  deps: ChangeDeps,
  { hash, newHash }: SessionHashes,
  tenantId: string | null,
): Promise<void> {
  const { personId, isOperator } = await openSession(deps, hash)
  await deps.transaction(async (em) => {
    const may = tenantId === null ? isOperator : await deps.people.isMember(em, personId, tenantId)
    if (!may) throw new AppError('not_found', { message: 'No such tenant.' })
    if (!(await deps.sessions.change(em, hash, { hash: newHash, tenantId }))) throw new AppError('unauthorized')
  })
}

type ProveDeps = ChangeDeps & Pick<PeopleDeps, 'codes'>

/**
 * Notes that the person has proved to be there, by a code that `startProof` sent.
 * @returns false where the code is not right, was used, or has run out
 * @throws unauthorized where there is no such session
 */
export async function prove(deps: ProveDeps, { hash, newHash }: SessionHashes, code: string): Promise<boolean> {
  const { email } = await openSession(deps, hash)
  const owner = { email, purpose: 'prove', browserHash: null } as const
  const codeHash = await checkCode(deps, owner, code)
  if (codeHash === undefined) return false
  return deps.transaction(async (em) => {
    if (!(await deps.codes.consume(em, owner, codeHash))) return false
    const change = { hash: newHash, provenAt: deps.clock.now() }
    if (!(await deps.sessions.change(em, hash, change))) throw new AppError('unauthorized')
    return true
  })
}

/**
 * Sends the person of a session a code for `prove`.
 * @param language of the page on which it is asked for
 * @throws unauthorized, otp_rate_limited, provider_unavailable, provider_timeout
 */
export async function startProof(deps: PeopleDeps, hash: string, language: InvitationLanguage): Promise<void> {
  const { email } = await openSession(deps, hash)
  await sendCode(deps, { email, purpose: 'prove', browserHash: null }, { language })
}

/** Ends a session. @returns false where it was over */
export async function signOut(deps: ChangeDeps & Pick<PeopleDeps, 'writeAct'>, hash: string): Promise<boolean> {
  const session = await findSession(deps, hash, { isUse: false })
  return deps.transaction(async (em) => {
    const isEnded = await deps.sessions.end(em, hash)
    if (isEnded && session) {
      const act = { operation: 'signOut', subjects: { sessionId: session.id } }
      await deps.writeAct(em, { ...actorOfSession(session, session.tenantId), ...act })
    }
    return isEnded
  })
}

/** Who acts by a session, for the audit log. @param tenantId where */
export function actorOfSession(
  { personId: actorId, email: actorEmail, isOperator, address, agent }: ConsoleSession,
  tenantId: string | null,
): Omit<SessionAct, 'operation' | 'subjects'> {
  return { tenantId, actorId, actorEmail, isOperator, address, agent }
}

/** @throws unauthorized where it was ended or has run out */
export async function openSession(
  deps: Pick<PeopleDeps, 'clock' | 'sessions' | 'settings'>,
  hash: string,
): Promise<ConsoleSession> {
  const session = await findSession(deps, hash)
  if (!session) throw new AppError('unauthorized')
  return session
}
