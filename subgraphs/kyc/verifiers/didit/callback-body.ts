import { CallbackRefused } from '../verifier.js'

/** Didit's decisions nest about ten deep and have some hundred values: more would be work that any sender could ask for. */
const DEPTH_MAX = 64
const VALUES_MAX = 5_000

/** What is understood of a body before its sender is known; reading one of 256 KiB can take 25 ms. */
const UNSIGNED_MAX_BYTES = 64 * 1024

type Body = Readonly<Record<string, unknown>>

/** A callback's JSON object. Throws CallbackRefused `malformed`. */
export function readBody(rawBody: Buffer): Body {
  try {
    const parsed = JSON.parse(rawBody.toString('utf8')) as unknown
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Body
  } catch {
    // Below: it is refused like any other text that is no object.
  }
  throw new CallbackRefused('malformed')
}

/** As `readBody`, before it is known who sent it: a body above 64 KiB is refused unread. */
export function readUnsignedBody(rawBody: Buffer): Body {
  if (rawBody.length > UNSIGNED_MAX_BYTES) throw new CallbackRefused('malformed')
  return readBody(rawBody)
}

/**
 * The form that `X-Signature-V2` is of: keys sorted, no spaces, characters as they are; JavaScript writes 1.0 as 1 by
 * itself, which is what Didit means. It is made before the sender is known, so its size is bounded.
 * @throws CallbackRefused `malformed` where the body is deeper or has more values than any that Didit sends
 */
export function canonicalJson(body: Body): string {
  let values = 0
  const write = (value: unknown, depth: number): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const keys = Object.keys(value)
    values += keys.length
    if (depth > DEPTH_MAX || values > VALUES_MAX) throw new CallbackRefused('malformed')
    if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`
    const members = value as Body
    return `{${keys
      .sort()
      .map((key) => `${JSON.stringify(key)}:${write(members[key], depth + 1)}`)
      .join(',')}}`
  }
  return write(body, 0)
}
