import { createHash, randomFillSync } from 'node:crypto'

/** Makes a new id at every call. */
export type IdSource = () => string

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * A source of CUIDs: `c`, eight characters of time in base 36 (milliseconds, good until the year 2059), sixteen of
 * randomness (about 82 bits). The time in front keeps new rows at one end of an index; old clients check
 * `^c[a-z0-9]{20,}$`.
 * @param now the clock's present
 */
export function idSource(now: () => Date): IdSource {
  let [madeAtMs, bound] = [NaN, '']
  return () => {
    const at = now()
    // A busy process makes many in a millisecond: to write the time takes longer than the rest of an id.
    if (at.getTime() !== madeAtMs) [madeAtMs, bound] = [at.getTime(), idBound(at)]
    return bound + randomBase36(RANDOM_LENGTH)
  }
}

/** How many characters follow the time. */
const RANDOM_LENGTH = 16

/**
 * The id of what is to have the same one whenever it is made, as after a database that went back to a backup: the time in
 * front is given, and what is random in others follows from the parts.
 * @param at what the id counts as made at
 * @param parts together nobody else's
 */
export function derivedId(at: Date, parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  const number = BigInt(`0x${digest}`) % 36n ** BigInt(RANDOM_LENGTH)
  return idBound(at) + number.toString(36).padStart(RANDOM_LENGTH, '0')
}

/** The last millisecond that eight characters in base 36 hold. */
const TIME_MAX_MS = 36 ** 8 - 1

/** A text that sorts before all ids made at an instant or later, and after those made before. */
export function idBound(at: Date): string {
  const ms = Math.min(Math.max(at.getTime(), 0), TIME_MAX_MS)
  return 'c' + ms.toString(36).padStart(8, '0')
}

/** Characters in stock: to ask the system for a few random bytes costs as much as for a page, and to make a text of each more than of all. */
const STOCK_LENGTH = 4096
let stock = ''
let used = 0

/** @returns so many characters of `[0-9a-z]`, each equally likely */
function randomBase36(length: number): string {
  if (used + length > stock.length) [stock, used] = [randomCharacters(STOCK_LENGTH), 0]
  used += length
  return stock.slice(used - length, used)
}

const CODES = Buffer.from(ALPHABET)
/** The largest multiple of their number in a byte: what lies above would favour the first of them. */
const FAIR_BELOW = Math.floor(256 / CODES.length) * CODES.length

function randomCharacters(count: number): string {
  const bytes = randomFillSync(Buffer.allocUnsafe(count))
  let kept = 0
  for (const byte of bytes) if (byte < FAIR_BELOW) bytes[kept++] = CODES[byte % CODES.length] ?? 0
  return bytes.toString('latin1', 0, kept)
}

/** Whether `text` could be an id of ours; anything else is not looked up. */
export function isId(text: string): boolean {
  return /^c[a-z0-9]{20,40}$/.test(text)
}
