import { equalTexts } from '../kernel/equal-texts.js'
import { hmacSha256 } from '../kernel/hmac.js'

/** How long a person may think about it. */
const LIFE_SECONDS = 600

/** What is confirmed: one call, by one key's tenant, with exactly these arguments. */
export interface Confirmed {
  tenantId: string
  tool: string
  args: Readonly<Record<string, unknown>>
  /** The caller's own, where there is one: with another it is another action. */
  idempotencyKey: string | undefined
}

/** What tells a token from every other: two that are asked for in one second are for two actions. */
const NONCE_BYTES = 12
const TOKEN = /^(\d{1,12})\.([\w-]{16})([\w-]{43})$/

/**
 * A token that stands for a call until it expires, and is like no other; nothing of it is kept.
 * @param key 32 bytes
 * @param random as `randomBytes`
 */
export function confirmationToken(key: Buffer, call: Confirmed, now: Date, random: (bytes: number) => Buffer): string {
  const expires = Math.floor(now.getTime() / 1000) + LIFE_SECONDS
  const nonce = random(NONCE_BYTES).toString('base64url')
  return `${expires}.${nonce}${macOf(key, call, expires, nonce)}`
}

/** Whether a token was given out for this call, and still holds. */
export function isConfirmed(key: Buffer, call: Confirmed, token: string, now: Date): boolean {
  const [, expires = '', nonce = '', mac = ''] = TOKEN.exec(token) ?? []
  const expected = macOf(key, call, Number(expires), nonce)
  return equalTexts(mac, expected) && Number(expires) * 1000 > now.getTime()
}

function macOf(key: Buffer, call: Confirmed, expires: number, nonce: string): string {
  const { tenantId, tool, args, idempotencyKey } = call
  const parts = ['mcp confirmation', tenantId, tool, canonical(args), idempotencyKey ?? null, expires, nonce]
  return hmacSha256(JSON.stringify(parts), key)
}

/** The same value whatever the order of its fields. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return fields.map(([name, inner]) => [name, canonical(inner)])
}
