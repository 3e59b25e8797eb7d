/** The largest answer that is made: 10 MB. */
export const ANSWER_MAX_BYTES = 10_000_000

/** A control character is written with six bytes (`\u0001`), and nothing with more. */
const BYTES_PER_CHARACTER_MAX = 6

/** How many bytes a text has within JSON, its quotes left out. */
type LengthOf = (text: string) => number

const charactersOf: LengthOf = (text) => text.length
const bytesOf: LengthOf = (text) => Buffer.byteLength(JSON.stringify(text)) - 2

/**
 * Whether the JSON text of a value would have more than so many bytes. It is counted as far as that and no further, and the
 * text is not made: a value that holds one large part a thousand times takes little memory, its text would take much.
 * Most answers are so small that their characters need not be looked at.
 */
export function isLargerThan(value: unknown, maxBytes: number): boolean {
  if (isKnownToBeSmall(value, maxBytes)) return false
  const characters = sizeWithin(value, maxBytes, charactersOf)
  if (characters > maxBytes) return true
  return characters * BYTES_PER_CHARACTER_MAX > maxBytes && sizeWithin(value, maxBytes, bytesOf) > maxBytes
}

/** What never changes, with how many bytes its text has at most. */
const knownBytes = new WeakMap<object, number>()

/** Whether an answer is of one field whose value is kept, and was found to be small before: that need not be counted again. */
function isKnownToBeSmall(answer: unknown, maxBytes: number): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  const [value, ...more]: unknown[] = Object.values(answer)
  if (typeof value !== 'object' || value === null || more.length > 0 || !Object.isFrozen(value)) return false
  const known = knownBytes.get(value)
  if (known !== undefined) return known <= maxBytes
  const characters = sizeWithin(answer, maxBytes, charactersOf)
  // What is larger was not counted to its end: another limit may be above it.
  if (characters <= maxBytes) knownBytes.set(value, characters * BYTES_PER_CHARACTER_MAX)
  return characters * BYTES_PER_CHARACTER_MAX <= maxBytes
}

/** The size of a value's JSON text; some number above `maxBytes` as soon as it is clear that it is above. */
function sizeWithin(value: unknown, maxBytes: number, lengthOf: LengthOf): number {
  if (typeof value === 'string') return lengthOf(value) + 2
  // The exact length of numbers does not matter: none has more than 24 characters.
  if (typeof value !== 'object' || value === null) return 4
  let size = 2
  if (Array.isArray(value)) {
    for (const item of value) {
      size += sizeWithin(item, maxBytes - size, lengthOf) + 1
      if (size > maxBytes) return size
    }
    return size
  }
  // What GraphQL makes has no prototype or a plain one: every name that is found is its own.
  for (const name in value) {
    size += lengthOf(name) + 4 + sizeWithin((value as Record<string, unknown>)[name], maxBytes - size, lengthOf)
    if (size > maxBytes) return size
  }
  return size
}
