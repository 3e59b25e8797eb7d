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

/** All texts of two characters of the alphabet. */
const PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second))
/** The largest multiple of their number in two bytes: what lies above would favour the first of them. */
const FAIR_BELOW = Math.floor(65_536 / PAIRS.length) * PAIRS.length

/** @param length even. @returns so many characters of `[0-9a-z]`, each equally likely */
function randomBase36(length: number): string {
  let text = ''
  while (text.length < length) {
    const number = randomTwoBytes()
    if (number < FAIR_BELOW) text += PAIRS[number % PAIRS.length] ?? ''
  }
  return text
}

/** Random bytes in stock: to ask the system for a few costs as much as for a page. */
const stock = Buffer.alloc(4096)
let used = stock.length

function randomTwoBytes(): number {
  if (used === stock.length) {
    randomFillSync(stock)
    used = 0
  }
  used += 2
  return stock.readUInt16LE(used - 2)
}

/** Whether `text` could be an id of ours; anything else is not looked up. */
export function isId(text: string): boolean {
  return /^c[a-z0-9]{20,40}$/.test(text)
}
