/** A JSON object of a caller. */
export type Json = Record<string, unknown>

/** Problems by the path of their field, as the processor answers them. */
export type Problems = Record<string, string[]>

/** The value as an object; an empty one where it is none. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** The value as a list; an empty one where it is none. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Notes a problem of a field. */
export function note(problems: Problems, field: string, message: string): void {
  ;(problems[field] ??= []).push(message)
}

/** Notes each of these fields that is not a text. */
export function needTexts(problems: Problems, path: string, given: Json, names: readonly string[]): void {
  for (const name of names) {
    if (textOf(given[name]) === undefined) note(problems, `${path}.${name}`, `The field ${name} is required.`)
  }
}
