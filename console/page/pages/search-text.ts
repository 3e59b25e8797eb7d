type Readers<Search> = { readonly [Name in keyof Search]: (value: unknown) => Search[Name] | undefined }

/** Reads what an address says, each name by a reader of its own. What none can read is left out: an address of anybody's making shows a list. */
export function searchOf<Search>(
  readers: Readers<Search>,
): (search: Record<string, unknown>) => { [Name in keyof Search]?: Search[Name] | undefined } {
  const names = Object.keys(readers) as (keyof Search & string)[]
  return (search) => Object.fromEntries(names.map((name) => [name, readers[name](search[name])])) as Partial<Search>
}

export function text(value: unknown): string | undefined {
  // The router reads what looks like JSON: digits are a number to it.
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads one of these words. */
export function oneOf<Word extends string>(words: readonly Word[]): (value: unknown) => Word | undefined {
  return (value) => words.find((word) => word === value)
}

/** Reads a day as a date field has it. */
export function day(value: unknown): string | undefined {
  const written = text(value)
  return written !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(Date.parse(written))
    ? written
    : undefined
}

/** The beginning of a day, where the reader is. @param days later */
export function startOfDay(day: string, days = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + days).toISOString()
}
