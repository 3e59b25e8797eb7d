import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { problemsOf } from '../../../../kernel/check-json.js'
import { validationError } from '../../../../kernel/errors.js'

/** Far above what authenticators write: ids of 1,023 bytes at most, signatures of RSA below 600 characters. */
const base64url = z.string().regex(/^[\w-]{1,8192}$/, 'must be base64url of at most 8192 characters')
const id = z.string().regex(/^[\w-]{1,1364}$/, 'must be base64url of at most 1364 characters')
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
type Transport = (typeof TRANSPORTS)[number]

const isTransport = (text: unknown): text is Transport => (TRANSPORTS as readonly unknown[]).includes(text)

const created = z.object({
  id,
  rawId: id,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    // What a browser names that is not known here is left out.
    transports: z
      .array(z.unknown())
      .max(20)
      .default([])
      .transform((given) => [...new Set(given.filter(isTransport))]),
  }),
})

const asserted = z.object({
  id,
  rawId: id,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
})

/** A credential that was just made, as browsers write it: `RegistrationResponseJSON` of WebAuthn Level 3, 5.1.8. @throws validation_error */
export function createdCredential(given: unknown): RegistrationResponseJSON {
  return { ...read(created, given), clientExtensionResults: {} }
}

/** What a passkey has signed: `AuthenticationResponseJSON` of the same. @throws validation_error */
export function assertedCredential(given: unknown): AuthenticationResponseJSON {
  const { response, ...credential } = read(asserted, given)
  const { userHandle, ...signed } = response
  return {
    ...credential,
    response: { ...signed, ...(userHandle != null && { userHandle }) },
    clientExtensionResults: {},
  }
}

/** Transports as they are stored. Another release may have known others. */
export function knownTransports(stored: readonly string[]): Transport[] {
  return stored.filter(isTransport)
}

function read<T>(shape: z.ZodType<T>, given: unknown): T {
  const { data, error } = shape.safeParse(given)
  if (error) {
    throw validationError(
      problemsOf(error, 'credential', true).map((problem) => {
        const [field = 'credential', message = ''] = problem.split(/: (.*)/s)
        return { field, message }
      }),
    )
  }
  return data
}
