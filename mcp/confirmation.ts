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

/** A token that stands for a call until it expires; nothing of it is kept. @param key 32 bytes */
export function confirmationToken(key: Buffer, call: Confirmed, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + LIFE_SECONDS
  return `${expires}.${macOf(key, call, expires)}`
}

/** Whether a token was given out for this call, and still holds. */
export function isConfirmed(key: Buffer, call: Confirmed, token: string, now: Date): boolean {
  const [, expires = '', mac = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  const expected = macOf(key, call, Number(expires))
  return equalTexts(mac, expected) && Number(expires) * 1000 > now.getTime()
}

function macOf(key: Buffer, { tenantId, tool, args, idempotencyKey }: Confirmed, expires: number): string {
  const parts = ['mcp confirmation', tenantId, tool, canonical(args), idempotencyKey ?? null, expires]
  return hmacSha256(JSON.stringify(parts), key)
}

/** The same value whatever the order of its fields. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return fields.map(([name, inner]) => [name, canonical(inner)])
}
