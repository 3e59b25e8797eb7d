import { validationError } from '../../kernel/errors.js'
import { invalidTextProblem } from '../../kernel/invalid-text.js'
import { isObject } from '../../kernel/json.js'

/** The longest text of a field, in characters: as much as any of them can need. */
const TEXT_MAX = 500

/**
 * One text of a body of JSON.
 * @throws validation_error that names the field
 */
export function textIn(body: unknown, field: string): string {
  const value = fieldOf(body, field)
  const problem = invalidTextProblem(value)
  if (problem !== undefined) throw validationError([{ field, message: problem }])
  if (typeof value === 'string' && value !== '' && value.length <= TEXT_MAX) return value
  throw validationError([{ field, message: `must be a text of 1 to ${TEXT_MAX} characters` }])
}

/** As `textIn`, where null is an answer too; a field that is left out is none. */
export function textOrNullIn(body: unknown, field: string): string | null {
  return fieldOf(body, field) === null ? null : textIn(body, field)
}

/** As `textIn`; null too where it is left out. */
export function optionalTextIn(body: unknown, field: string): string | null {
  return fieldOf(body, field) == null ? null : textIn(body, field)
}

/**
 * One object of a body of JSON, whatever is in it.
 * @throws validation_error that names the field
 */
export function objectIn(body: unknown, field: string): object {
  const value = fieldOf(body, field)
  if (isObject(value)) return value
  throw validationError([{ field, message: 'must be an object' }])
}

/** The language of the page that asks, as the graph has it; null where it says none that there is. */
export function languageIn(body: unknown): 'EN' | 'PT' | null {
  const language = fieldOf(body, 'language')
  return language === 'pt' ? 'PT' : language === 'en' ? 'EN' : null
}

function fieldOf(body: unknown, field: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
}
