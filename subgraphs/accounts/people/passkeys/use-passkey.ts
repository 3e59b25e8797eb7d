import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Transaction } from '../../../../kernel/database.js'
import type { PeopleDeps } from '../deps.js'
import { CHALLENGE_LIFE_MS, newChallenge } from './challenges.js'
import { assertedCredential, knownTransports } from './credential.js'
import type { ChallengeOwner } from './store/challenges.js'
import type { StoredPasskey } from './store/passkeys.js'
import { verifyAsserted, webauthn } from './verify.js'

/** How the audit log names a signature that is right and whose count is not: the passkey may have been copied. */
export const COUNTER_WENT_BACK = 'passkey_counter_back'

type UseDeps = Pick<PeopleDeps, 'clock' | 'passkeyChallenges' | 'passkeys' | 'random' | 'settings' | 'transaction'>

/**
 * What a browser is given to have a challenge signed: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3.
 * @param allowed the passkeys that may sign; any that the browser has for us where left out
 */
export async function requestOptions(
  deps: UseDeps,
  owner: ChallengeOwner,
  allowed: readonly Pick<StoredPasskey, 'credentialId' | 'transports'>[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: deps.settings.relyingParty.id,
    challenge: await newChallenge(deps, owner),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: knownTransports(transports),
    })),
  })
}

/** A signature that is right; it counts once `countUse` has said so. */
export interface SignedChallenge {
  passkey: StoredPasskey
  counter: number
}

/**
 * Checks what a passkey has signed against the owner's challenge, which is used whether or not it is right.
 * @returns undefined where it is not right, or the passkey is not known
 * @throws validation_error on `credential`
 */
export async function checkPasskey(
  deps: UseDeps,
  owner: ChallengeOwner,
  credential: unknown,
): Promise<SignedChallenge | undefined> {
  const given = assertedCredential(credential)
  const challenge = await deps.passkeyChallenges.take(owner, deps.clock.now())
  if (challenge === undefined) return undefined
  const passkey = await deps.passkeys.find(given.id)
  if (!passkey || !isOfPerson(given.response.userHandle, passkey, owner)) return undefined
  const { relyingParty } = deps.settings
  const counter = await verifyAsserted(given, passkey, { challenge, relyingParty })
  return counter === undefined ? undefined : { passkey, counter }
}

/**
 * Notes the use of a passkey in the transaction in which it counts.
 * @param onCopied called where the authenticator's count went back (WebAuthn Level 3, 7.2, step 22): writes that down
 * @returns false where it does not count
 */
export async function countUse(
  deps: UseDeps,
  em: Transaction,
  { passkey, counter }: SignedChallenge,
  onCopied: () => Promise<void>,
): Promise<boolean> {
  if (await deps.passkeys.use(em, passkey.id, counter, deps.clock.now())) return true
  // One that was removed meanwhile tells nothing about its authenticator.
  if (await deps.passkeys.isKept(em, passkey.id)) await onCopied()
  return false
}

/** Who signs in without having said who it is is named by the authenticator, and it has to be the one whose passkey it is (7.2, step 6). */
function isOfPerson(userHandle: string | undefined, { personId }: StoredPasskey, { purpose }: ChallengeOwner): boolean {
  if (userHandle === undefined) return purpose !== 'sign-in'
  return userHandle === Buffer.from(personId).toString('base64url')
}
