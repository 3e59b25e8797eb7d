import type { Clock } from '../kernel/clock.js'
import { equalTexts } from '../kernel/equal-texts.js'
import { hmacSha256 } from '../kernel/hmac.js'

/** The payment that a link shows, and its tenant. */
export interface SessionLink {
  tenantId: string
  paymentId: string
  expiresAt: Date
}

/** A link is good for a week from registration: as long as a payer may take, and it says the same at every look. */
const LIFE_MS = 7 * 24 * 3_600_000

/**
 * The token in the link of the hosted payment page: who it is for and until when, signed. It shows one payment and
 * nothing else, so it may be handed to a payer.
 */
export function signSession(payment: { id: string; tenantId: string; createdAt: Date }, signingKey: Buffer): string {
  const body = [payment.tenantId, payment.id, (payment.createdAt.getTime() + LIFE_MS).toString(36)].join('.')
  return `${body}.${macOf(body, signingKey)}`
}

/** What a token of `signSession` stands for; without a link where it is not ours, or was and has expired. */
export function sessionOf(
  token: string,
  signingKey: Buffer,
  clock: Clock,
): { link: SessionLink | undefined; isExpired: boolean } {
  const [tenantId = '', paymentId = '', expiry = '', mac = '', ...rest] = token.split('.')
  const expected = macOf([tenantId, paymentId, expiry].join('.'), signingKey)
  if (rest.length > 0 || !equalTexts(mac, expected)) return { link: undefined, isExpired: false }
  const expiresAt = new Date(parseInt(expiry, 36))
  const isExpired = !(expiresAt > clock.now())
  return { link: isExpired ? undefined : { tenantId, paymentId, expiresAt }, isExpired }
}

function macOf(body: string, signingKey: Buffer): string {
  return hmacSha256(body, signingKey).slice(0, 32)
}
