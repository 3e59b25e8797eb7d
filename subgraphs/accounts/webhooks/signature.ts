import { createHmac } from 'node:crypto'

/** The prefix of a symmetric Standard Webhooks secret; base64 of 24 to 64 random bytes follows. */
const SECRET_PREFIX = 'whsec_'

/**
 * The headers that sign a message as Standard Webhooks 1.0 does: HMAC-SHA256 over `id.timestamp.body`, base64, one
 * `v1,…` for each secret, so that receivers verify with the old and the new one while a secret is rotated.
 * @param body the exact text that is sent
 * @param secrets `whsec_…`, at least one
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders(
  id: string,
  timestamp: Date,
  body: string,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = String(Math.floor(timestamp.getTime() / 1000))
  const signed = `${id}.${seconds}.${body}`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64')
}
