import type { WebhookEvent } from './generated/types.js'

/** How old a message may be, and how far in the future, in seconds: what Standard Webhooks recommends. */
const TOLERANCE_SECONDS = 300
const SECRET_PREFIX = 'whsec_'

/** The headers of a request, as any platform has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** What verifying needs. */
export interface VerifyOptions {
  /** The body, exactly as it came: parsed and written again, its signature would not fit. */
  body: string | Uint8Array
  headers: WebhookHeaders
  /** `whsec_…`, or the old and the new one while it is rotated. */
  secret: string | readonly string[]
  /** In seconds; 300 where left out. */
  toleranceSeconds?: number
  now?: () => Date
}

/** A message that is not to be believed. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/**
 * Verifies a webhook and gives its event. The signatures are compared by WebCrypto, in constant time.
 * @throws WebhookVerificationError where a header is missing, the time is off, or no signature is good
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const { body, headers, secret, toleranceSeconds = TOLERANCE_SECONDS, now = () => new Date() } = options
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    neededHeader(headers, `webhook-${name}`),
  )
  checkTime(timestamp ?? '', now(), toleranceSeconds)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  await checkSignatures(secret, signatures ?? '', `${id}.${timestamp}.${text}`)
  return JSON.parse(text) as WebhookEvent
}

/** @throws WebhookVerificationError where no signature is good by any of the secrets */
async function checkSignatures(secret: VerifyOptions['secret'], signatures: string, text: string): Promise<void> {
  const signed = new TextEncoder().encode(text)
  const secrets = typeof secret === 'string' ? [secret] : secret
  for (const key of await Promise.all(secrets.map(importSecret))) {
    for (const signature of signatures.split(' ')) {
      const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : undefined
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return
    }
  }
  throw new WebhookVerificationError('no signature is good')
}

/** What a payer brings back to the shop: `received` where the money is in, `paid` where the receivers have theirs too. */
export interface PaymentReturn {
  paymentId: string
  status: string
  /** Since when. */
  at: Date
}

/**
 * Verifies the address at which a payer came back to `success_url`, which was signed with the secret of the payment's
 * webhooks. Whoever has the payment's link can come again: look the payment up before something is handed out twice.
 * @throws WebhookVerificationError where something is missing, or no signature is good
 */
export async function verifyReturn(options: {
  url: string | URL
  /** `whsec_…`, or the old and the new one while it is rotated. */
  secret: string | readonly string[]
}): Promise<PaymentReturn> {
  const { searchParams } = new URL(options.url)
  const read = (name: string): string => {
    const value = searchParams.get(`payment_${name}`)
    if (value === null) throw new WebhookVerificationError(`payment_${name} is missing`)
    return value
  }
  const [paymentId, status, timestamp] = [read('id'), read('status'), read('timestamp')]
  await checkSignatures(options.secret, read('signature'), `${paymentId}.${timestamp}.${status}`)
  return { paymentId, status, at: new Date(Number(timestamp) * 1000) }
}

/**
 * Signs a message as the service does, for those who forward or try webhooks.
 * @returns the three headers
 */
export async function signWebhook(
  id: string,
  at: Date,
  body: string,
  secret: string,
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await importSecret(secret), signed))
  const base64 = btoa(String.fromCharCode(...signature))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${base64}` }
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret)
  if (!bytes || bytes.length === 0) throw new WebhookVerificationError('the secret is no base64')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function neededHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  const text = Array.isArray(value) ? (value as readonly string[])[0] : (value as string | null | undefined)
  if (text === undefined || text === null || text === '')
    throw new WebhookVerificationError(`the header ${name} is missing`)
  return text
}

function checkTime(timestamp: string, now: Date, toleranceSeconds: number): void {
  const offSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (/^\d+$/.test(timestamp) && offSeconds <= toleranceSeconds) return
  throw new WebhookVerificationError(`the message was not signed within ${toleranceSeconds} seconds of now`)
}

/** The bytes of base64; undefined where it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
