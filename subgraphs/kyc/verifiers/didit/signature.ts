import { createHmac, timingSafeEqual } from 'node:crypto'

/** How far a callback's time may be from ours, either way (docs.didit.me, "Webhooks"). */
const TOLERANCE_SECONDS = 300

/** Whether a Unix time in seconds, as text, is within ±300 s of `now`. */
export function isRecent(timestamp: string | undefined, now: Date): boolean {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS
}

/**
 * Whether one of Didit's three signatures is right, all HMAC-SHA256 in hex. `X-Signature` is of the raw body;
 * `X-Signature-V2` of its canonical JSON, alone or behind `timestamp:` (the vendor's sources disagree); `X-Signature-Simple`
 * of `timestamp:session_id:status:webhook_type`, which leaves the rest of the body unsigned.
 * @param headers with lower-case names
 */
export function isSigned(
  rawBody: Buffer,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
  secret: string,
): boolean {
  const timestamp = headers['x-timestamp'] ?? ''
  const { 'x-signature': raw, 'x-signature-v2': v2, 'x-signature-simple': simple } = headers
  const canonical = canonicalJson(body)
  const fields = ['session_id', 'status', 'webhook_type'].map((name) => textOf(body[name]))
  return (
    equals(raw, macOf(rawBody, secret)) ||
    equals(v2, macOf(canonical, secret)) ||
    equals(v2, macOf(`${timestamp}:${canonical}`, secret)) ||
    equals(simple, macOf([timestamp, ...fields].join(':'), secret))
  )
}

/** HMAC-SHA256, hex. */
function macOf(content: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('hex')
}

function equals(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false
  const [left, right] = [Buffer.from(given.trim().toLowerCase()), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Keys sorted, no spaces, characters as they are; JavaScript writes 1.0 as 1 by itself, which is what Didit means. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
