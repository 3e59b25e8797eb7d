import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import { AppError, validationError } from '../../../../kernel/errors.js'
import type { Reauthorize } from '../../domain/acting-tenant.js'
import type { PeopleDeps } from '../deps.js'
import { CHALLENGE_LIFE_MS, newChallenge } from './challenges.js'
import { passkeyName } from './change-passkey.js'
import { createdCredential, knownTransports } from './credential.js'
import { mailChange, type PasskeyActor } from './mail-change.js'
import type { ListedPasskey } from './store/passkeys.js'
import { ALGORITHMS, verifyCreated, webauthn } from './verify.js'

/** What the browsers call us where they list passkeys. */
const NAME = 'Payments console'
/** Passkeys of one person: more than anyone has devices. */
export const PASSKEYS_MAX = 20

type PasskeyDeps = Pick<
  PeopleDeps,
  'clock' | 'newId' | 'passkeyChallenges' | 'passkeys' | 'people' | 'random' | 'settings' | 'transaction'
>

/** A person in a session: the challenge is for that session alone. */
export interface SignedInPerson extends PasskeyActor {
  email: string
  sessionId: string
}

/** The same, and how to ask again about the session. */
interface ActingPerson extends SignedInPerson {
  reauthorize: Reauthorize
}

/**
 * What a browser is given to make a passkey for the person of a session: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3,
 * with a challenge of five minutes. The passkey is kept where it can be found without an e-mail address, and wants the person verified.
 */
export async function startPasskey(
  deps: PasskeyDeps,
  { id, email, sessionId }: SignedInPerson,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn()
  const had = await deps.passkeys.credentialsOf(id)
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: deps.settings.relyingParty.id,
    userName: email,
    userDisplayName: email,
    userID: new Uint8Array(Buffer.from(id)),
    challenge: await newChallenge(deps, { owner: sessionId, purpose: 'add' }),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: had.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: knownTransports(transports),
    })),
  })
}

/** A passkey that a browser has made. */
export interface PasskeyInput extends Pick<PasskeyActor, 'language'> {
  name: string
  credential: unknown
}

/**
 * Keeps a passkey that a browser has made for `startPasskey`, and has the person told by e-mail. Whatever is wrong about it, the
 * challenge is used.
 * @throws validation_error on `name` or `credential`, invalid_parameters where the person has twenty; as `Reauthorize`
 */
export async function addPasskey(
  deps: PasskeyDeps,
  { reauthorize, ...person }: ActingPerson,
  input: PasskeyInput,
): Promise<ListedPasskey> {
  const { id: personId, sessionId } = person
  const name = passkeyName(input.name)
  const given = createdCredential(input.credential)
  const now = deps.clock.now()
  const challenge = await deps.passkeyChallenges.take({ owner: sessionId, purpose: 'add' }, now)
  const { relyingParty } = deps.settings
  const made = challenge === undefined ? undefined : await verifyCreated(given, { challenge, relyingParty })
  if (!made) {
    const message = 'must answer the newest startPasskey of this session, once, within five minutes, at the console'
    throw validationError([{ field: 'credential', message }])
  }
  return deps.transaction(async (em) => {
    await reauthorize(em)
    await deps.people.lock(em, personId)
    if ((await deps.passkeys.count(em, personId)) >= PASSKEYS_MAX) {
      throw new AppError('invalid_parameters', { message: `You have ${PASSKEYS_MAX} passkeys. Remove one first.` })
    }
    const transports = given.response.transports ?? []
    const added = await deps.passkeys.add(em, { id: deps.newId(), personId, ...made, transports, name, now })
    if (!added) throw validationError([{ field: 'credential', message: 'must be new: this passkey is known already' }])
    await mailChange(deps, em, { ...person, language: input.language ?? null }, added, 'added')
    return added
  })
}
