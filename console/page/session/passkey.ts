import {
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import {
  proveWithPasskey,
  SessionError,
  signInWithPasskey,
  startPasskeyProof,
  startPasskeySignIn,
} from './session-api.js'

/** Signs in with a passkey that the person chooses. @param email '' for whoever's it is. @throws SessionError */
export async function signInByPasskey(email: string): Promise<void> {
  await signInWithPasskey(email, await signed(await startPasskeySignIn()))
}

/** Proves with a passkey that the person is there. @throws SessionError */
export async function proveByPasskey(): Promise<void> {
  await proveWithPasskey(await signed(await startPasskeyProof()))
}

/** Has the browser make a passkey. @param options what the server gave. @throws SessionError */
export async function makePasskey(options: unknown): Promise<unknown> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return asked(() => startRegistration({ optionsJSON }))
}

async function signed(options: unknown): Promise<unknown> {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return asked(() => startAuthentication({ optionsJSON }))
}

/** Browsers do not tell whether the person said no, or there was nothing to choose. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const isKnown = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new SessionError(isKnown ? 'passkey_known' : 'passkey_not_used', '')
  }
}
