import { isIP } from 'node:net'

/** What a passkey is bound to: browsers use it for these pages alone. */
export interface RelyingParty {
  /** The host that people reach the console at. */
  id: string
  /** The origin of its pages, e.g. `https://pay.example`. */
  origin: string
}

/**
 * The relying party of a deployment. Browsers know passkeys of names, never of IP addresses: a deployment on this machine has
 * those of `localhost` (WebAuthn Level 3, 5.1.3, step "effective domain").
 * @param publicUrl where the product is reached
 */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const url = new URL(publicUrl)
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && (host === '::1' || host.startsWith('127.'))) url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}
