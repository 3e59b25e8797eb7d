import { hash } from 'node:crypto'

/** Of SHA-256, in bytes. */
const BLOCK_BYTES = 64

/** A key, as the two hashes begin with it. */
interface Pads {
  inner: Buffer
  outer: Buffer
}

const padsOf = new WeakMap<Buffer, Pads>()

/**
 * HMAC-SHA256 of a text (RFC 2104 section 2), base64url. By two hashes at one go: an object of Node's `Hmac` takes three times as long as both,
 * and the garbage collector has to end it.
 * @param key of 64 bytes at most
 */
export function hmacSha256(text: string, key: Buffer): string {
  const { inner, outer } = padsFor(key)
  const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')
  return hash('sha256', Buffer.concat([outer, digest]), 'base64url')
}

function padsFor(key: Buffer): Pads {
  const known = padsOf.get(key)
  if (known) return known
  if (key.length > BLOCK_BYTES) throw new RangeError(`a key has at most ${BLOCK_BYTES} bytes`)
  const padded = Buffer.concat([key], BLOCK_BYTES)
  const pad = (mask: number): Buffer => Buffer.from(padded.map((byte) => byte ^ mask))
  const pads = { inner: pad(0x36), outer: pad(0x5c) }
  padsOf.set(key, pads)
  return pads
}
