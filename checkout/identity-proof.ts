import type { Clock } from '../kernel/clock.js'
import { equalTexts } from '../kernel/equal-texts.js'
import { hmacSha256 } from '../kernel/hmac.js'
import type { SessionLink } from './session-link.js'

/** As long as a payer may take at the verification service and come back. */
export const LIFE_MS = 2 * 3_600_000

/** What a proof is about: an e-mail address, on the page of one link. */
export interface ProvedEmail {
  link: SessionLink
  email: string
}

/**
 * A page's proof that its payer has typed the code that was sent to an e-mail address. It is good on the same link alone:
 * whoever only knows the address gets nobody's verification.
 */
export function signIdentity(proved: ProvedEmail, key: Buffer, clock: Clock): string {
  const expiry = (clock.now().getTime() + LIFE_MS).toString(36)
  return `${expiry}.${macOf(proved, expiry, key)}`
}

/** Whether a text is a proof of `signIdentity` for that address and link, and is still good. */
export function isIdentityProof(proof: string, proved: ProvedEmail, key: Buffer, clock: Clock): boolean {
  const [expiry = '', mac = ''] = proof.split('.')
  if (!equalTexts(mac, macOf(proved, expiry, key))) return false
  return parseInt(expiry, 36) > clock.now().getTime()
}

function macOf({ link, email }: ProvedEmail, expiry: string, key: Buffer): string {
  return hmacSha256(['identity', link.tenantId, link.paymentId, expiry, email.toLowerCase()].join('\n'), key)
}
