/** What an address says under a name, where it is text. */
export function textIn(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name]
  // The router reads what looks like JSON: digits are a number to it.
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What an address says under a name, where it is one of these words. */
export function oneOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value)
}

/** A day as a date field has it; undefined where it is none. */
export function dayIn(search: Record<string, unknown>, name: string): string | undefined {
  const value = textIn(search, name)
  return value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined
}

/** The beginning of a day, where the reader is. @param days later */
export function startOfDay(day: string, days = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + days).toISOString()
}
