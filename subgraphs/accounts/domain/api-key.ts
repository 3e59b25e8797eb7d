import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Whether a key is for real business or for tests. */
export type ApiKeyMode = 'live' | 'test'

/** Makes `size` random bytes that nobody can guess. */
export type RandomBytes = (size: number) => Buffer

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const FORM = /^sk_(live|test)_[0-9A-Za-z]{38}$/
const DISPLAY_LENGTH = 12

/**
 * A new API key: `sk_live_` or `sk_test_`, 32 random base62 characters (190 bits) and 6 of checksum, so that secret
 * scanners can tell a leaked key from any other text.
 */
export function newApiKey(mode: ApiKeyMode, random: RandomBytes): string {
  const key = `sk_${mode}_${randomBase62(SECRET_LENGTH, random)}`
  return key + checksumOf(key)
}

/** Reads a key's mode; undefined for a text that was never a key of ours, because form or checksum are wrong. */
export function parseApiKey(text: string): { mode: ApiKeyMode } | undefined {
  const mode = FORM.exec(text)?.[1]
  if (mode !== 'live' && mode !== 'test') return undefined
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH) ? { mode } : undefined
}

/** What is stored of a key: SHA-256, hex. A key has too much entropy to be guessed, so a fast hash is enough. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** The hash of what has the form of a key, undefined for any other text. Its checksum is not looked at: see `isApiKey`. */
export function hashIfApiKey(text: string): string | undefined {
  return FORM.test(text) ? hashApiKey(text) : undefined
}

/** Whether a text is a key of ours by its form and its checksum: the gateway refuses any other without a look-up. */
export function isApiKey(text: string): boolean {
  return parseApiKey(text) !== undefined
}

/** The first 12 characters of a key, by which its owner recognises it in a list. */
export function displayPrefix(key: string): string {
  return key.slice(0, DISPLAY_LENGTH)
}

/** CRC-32 of the characters in base 62, six digits: 62^6 is above 2^32. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(length: number, random: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      // 248 is the largest multiple of 62 in a byte: what lies above would favour the first characters.
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62)
    }
  }
  return text
}
