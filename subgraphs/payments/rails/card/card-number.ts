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

/**
 * The text without anything that could be a card's number: processors quote what they were sent in messages.
 */
export function withoutCardNumbers(text: string): string {
  return text.replace(/\d(?:[ -]?\d){12,18}/g, '[redacted]')
}

/** A year of two digits belongs to this century. */
export function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year
}
