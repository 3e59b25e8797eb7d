import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { PeopleDeps } from '../deps.js'
import { personEmail } from '../email.js'
import { arrival, beginSession, type SessionOrigin } from '../sign-in.js'
import { checkPasskey, countUse, COUNTER_WENT_BACK, requestOptions } from './use-passkey.js'

/** A sign-in by a passkey. */
export interface PasskeySignInInput extends SessionOrigin {
  /** SHA-256, hex, of what the cookie of the browser holds that was given the challenge. */
  browserHash: string
  /** The address that was typed, if any: the passkey has to be that person's. */
  email?: string | null
  credential: unknown
}

type SignInDeps = Omit<PeopleDeps, 'codes' | 'newCode' | 'sendMail'>

/** What a browser is given to sign in. It names no passkey, so it tells nothing of any address. */
export function startPasskeySignIn(
  deps: SignInDeps,
  browserHash: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestOptions(deps, { owner: browserHash, purpose: 'sign-in' })
}

/**
 * Opens a session for the person of a passkey that has signed the browser's challenge. To have signed is a proof to be there.
 * @returns false where it is not right; which of all reasons it was is not told
 * @throws validation_error on `email` or `credential`
 */
export async function signInWithPasskey(deps: SignInDeps, input: PasskeySignInInput): Promise<boolean> {
  const email = input.email == null ? undefined : personEmail(input.email)
  const signed = await checkPasskey(deps, { owner: input.browserHash, purpose: 'sign-in' }, input.credential)
  if (!signed || (email !== undefined && email !== signed.passkey.email)) return false
  const { id: passkeyId } = signed.passkey
  return deps.transaction(async (em) => {
    const arrived = await arrival(deps, em, signed.passkey, input)
    const counts = await countUse(deps, em, signed, () =>
      deps.writeAct(em, {
        ...arrived.who,
        operation: 'signIn',
        subjects: { passkeyId },
        outcome: COUNTER_WENT_BACK,
      }),
    )
    if (counts) await beginSession(deps, em, arrived, { passkeyId })
    return counts
  })
}
