import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { RelyingParty } from './relying-party.js'
import type { StoredPasskey } from './store/passkeys.js'

/** What can be kept of a credential that was just made. */
export interface VerifiedCredential {
  credentialId: string
  publicKey: string
  counter: number
}

/** EdDSA, ES256, RS256 (IANA COSE): every authenticator has one of them. */
export const ALGORITHMS = [-8, -7, -257]

/** The library is loaded when the first passkey is: it is 25 MB that most processes never need. */
export const webauthn = () => import('@simplewebauthn/server')

interface Expected {
  challenge: string
  relyingParty: RelyingParty
}

/**
 * Checks a credential that was just made: challenge, origin, relying party, and that the person was verified (WebAuthn Level 3, 7.1).
 * @returns undefined where it is not right
 */
export async function verifyCreated(
  response: RegistrationResponseJSON,
  { challenge, relyingParty }: Expected,
): Promise<VerifiedCredential | undefined> {
  const { verifyRegistrationResponse } = await webauthn()
  const checked = await attempt(async () => {
    if (!(await isUnattested(response))) return undefined
    return verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
  })
  if (checked?.verified !== true) return undefined
  const { id, publicKey, counter } = checked.registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
}

/**
 * Checks what a passkey has signed, as `verifyCreated` does (7.2), but for the authenticator's count: whether that went back is asked
 * of the database, in the transaction in which the signature counts.
 * @returns the count; undefined where the signature is not right
 */
export async function verifyAsserted(
  response: AuthenticationResponseJSON,
  { credentialId: id, publicKey }: Pick<StoredPasskey, 'credentialId' | 'publicKey'>,
  { challenge, relyingParty }: Expected,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn()
  const checked = await attempt(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    }),
  )
  return checked?.verified === true ? checked.authenticationInfo.newCounter : undefined
}

/**
 * Whether a new credential comes without certificates. None was asked for, and to check them the library would ask their
 * issuers over the network, which ones are revoked.
 */
async function isUnattested({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** The library throws for whatever is not right about bytes that a stranger sent. */
async function attempt<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch {
    return undefined
  }
}
