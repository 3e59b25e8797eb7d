import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { AppError } from '../../../../kernel/errors.js'
import { actorOfSession, openSession, type SessionHashes } from '../change-session.js'
import type { PeopleDeps } from '../deps.js'
import { checkPasskey, countUse, COUNTER_WENT_BACK, requestOptions } from './use-passkey.js'

type ProveDeps = Omit<PeopleDeps, 'codes' | 'newCode' | 'sendMail'>

/**
 * What a browser is given to prove that the person of a session is there: any of the person's own passkeys may sign.
 * @throws unauthorized where there is no such session, not_found where the person has no passkey
 */
export async function startPasskeyProof(deps: ProveDeps, hash: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { id, personId } = await openSession(deps, hash)
  const allowed = await deps.passkeys.credentialsOf(personId)
  if (allowed.length === 0) throw new AppError('not_found', { message: 'You have no passkey.' })
  return requestOptions(deps, { owner: id, purpose: 'prove' }, allowed)
}

/**
 * Notes that the person of a session has proved to be there, by one of the person's own passkeys.
 * @returns false where it is not right
 * @throws unauthorized where there is no such session, validation_error on `credential`
 */
export async function proveWithPasskey(
  deps: ProveDeps,
  { hash, newHash }: SessionHashes,
  credential: unknown,
): Promise<boolean> {
  const session = await openSession(deps, hash)
  const signed = await checkPasskey(deps, { owner: session.id, purpose: 'prove' }, credential)
  if (signed?.passkey.personId !== session.personId) return false
  return deps.transaction(async (em) => {
    const counts = await countUse(deps, em, signed, () =>
      deps.writeAct(em, {
        ...actorOfSession(session, session.tenantId),
        operation: 'prove',
        subjects: { sessionId: session.id, passkeyId: signed.passkey.id },
        outcome: COUNTER_WENT_BACK,
      }),
    )
    if (!counts) return false
    const change = { hash: newHash, provenAt: deps.clock.now() }
    if (!(await deps.sessions.change(em, hash, change))) throw new AppError('unauthorized')
    return true
  })
}
