/** Whether the last digit of a card's number fits the others (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  const total = [...digits].reverse().reduce((sum, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1)
    return sum + (digit > 9 ? digit - 9 : digit)
  }, 0)
  return total % 10 === 0
}

/** A card's number without the spaces and hyphens that people write; undefined where it is none. */
export function readCardNumber(text: string): string | undefined {
  const digits = text.replace(/[ -]/g, '')
  return /^\d{13,19}$/.test(digits) && passesLuhn(digits) ? digits : undefined
}

/** How many digits the numbers of the large brands have, by what they begin with (ISO/IEC 7812 issuers). */
const BRANDS: readonly [begin: RegExp, lengths: readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(5[1-5]|2[2-7])/, [16]],
  [/^3[47]/, [15]],
  [/^3[0689]/, [14, 16]],
  [/^(35|50|5[6-9]|6)/, [13, 16, 19]],
]

/**
 * The text without the numbers of cards: processors quote what they were sent in messages. Other numbers stay: ids, amounts
 * and times, which have another length or check digit. A run of digits is taken out as a whole, as the code is often written
 * behind the number.
 */
export function withoutCardNumbers(text: string): string {
  return text.replace(/\d(?:[ -]?\d){12,}/g, (run) => (holdsCardNumber(run.split(/[ -]/)) ? '[redacted]' : run))
}

/** Whether some groups of digits that follow each other are a card's number, or begin with one of a large brand. */
function holdsCardNumber(groups: readonly string[]): boolean {
  return groups.some((_, first) => {
    const rest = groups.slice(first)
    const isOne = rest.some(
      (_group, last) => /^[2-9]\d{12,18}$/.test(joined(rest, last)) && passesLuhn(joined(rest, last)),
    )
    return isOne || beginsWithCardNumber(joined(rest, rest.length))
  })
}

function joined(groups: readonly string[], last: number): string {
  return groups.slice(0, last + 1).join('')
}

function beginsWithCardNumber(digits: string): boolean {
  return BRANDS.filter(([begin]) => begin.test(digits)).some(([, lengths]) =>
    lengths.some((length) => digits.length > length && passesLuhn(digits.slice(0, length))),
  )
}

/** A year of two digits belongs to this century. */
export function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year
}
