import { createHmac } from 'node:crypto'
import { equalTexts } from '../../../../kernel/equal-texts.js'
import { canonicalJson, readUnsignedBody } from './callback-body.js'

/** How far a callback's time may be from ours, either way (docs.didit.me, "Webhooks"). */
const TOLERANCE_SECONDS = 300

/** Whether a Unix time in seconds, as text, is within ±300 s of `now`. */
export function isRecent(timestamp: string | undefined, now: Date): boolean {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS
}

/**
 * Whether a callback is signed in one of Didit's three ways, all HMAC-SHA256 in hex. `X-Signature` is of the raw body, and
 * decides alone where it is given, as it costs one pass over the bytes. Without it,
 * `X-Signature-Simple` is of `timestamp:session_id:status:webhook_type`, which leaves the rest of the body unsigned, and
 * `X-Signature-V2` of the canonical JSON, alone or behind `timestamp:` (the vendor's sources disagree).
 * @param headers with lower-case names
 * @throws CallbackRefused `malformed` where the body would have to be understood, and cannot be
 */
export function isSigned(rawBody: Buffer, headers: Readonly<Record<string, string>>, secret: string): boolean {
  const [raw, v2, simple] = ['x-signature', 'x-signature-v2', 'x-signature-simple'].map(
    (name) => headers[name]?.trim().toLowerCase() ?? '',
  )
  if (raw) return equals(raw, () => macOf(rawBody, secret))
  if (!isMac(v2) && !isMac(simple)) return false
  const body = readUnsignedBody(rawBody)
  const timestamp = headers['x-timestamp'] ?? ''
  const fields = ['session_id', 'status', 'webhook_type'].map((name) => textOf(body[name]))
  if (equals(simple, () => macOf([timestamp, ...fields].join(':'), secret))) return true
  if (!isMac(v2)) return false
  const canonical = canonicalJson(body)
  return equals(v2, () => macOf(canonical, secret)) || equals(v2, () => macOf(`${timestamp}:${canonical}`, secret))
}

/** Whether a header has the form of an HMAC-SHA256 in lower-case hex. */
function isMac(given: string | undefined): given is string {
  return given !== undefined && /^[0-9a-f]{64}$/.test(given)
}

/** HMAC-SHA256, hex. */
function macOf(content: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(content).digest('hex')
}

function equals(given: string | undefined, expected: () => string): boolean {
  return isMac(given) && equalTexts(given, expected())
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
