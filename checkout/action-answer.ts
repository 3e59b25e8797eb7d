import { KEY_HEADER } from '../gateway/request.js'
import { ERRORS, isErrorCode, type FieldFailure } from '../kernel/errors.js'

/** What a page's action is answered with. */
export interface ActionAnswer {
  status: number
  body: {
    view?: unknown
    given?: object
    /** Why it was refused. */
    error?: { code: string; fields?: readonly string[] }
  }
  retryAfter?: number
}

/** What is looked at of a failure. */
export interface Coded {
  code?: string
  errors?: readonly FieldFailure[] | undefined
}

/** The page's names of an operation's input, by which a failure is shown where it belongs. */
export type FieldNames = Readonly<Record<string, string>>

/** An answer to what was asked too often. */
export function tooOften(retryAfter: number): ActionAnswer {
  return { status: 429, retryAfter, body: { error: { code: 'rate_limited' } } }
}

export function invalid(fields: readonly string[]): ActionAnswer {
  return { status: 400, body: { error: { code: 'validation_error', fields } } }
}

export function refused(status: number, code: string, fields: readonly string[], view: unknown): ActionAnswer {
  return { status, body: { error: { code, fields: [...new Set(fields)] }, ...(view !== undefined && { view }) } }
}

/** The error's code, and the page's names of the fields that it is about; its text is for developers, not for payers. */
export function failed(names: FieldNames, { code, errors: failures = [] }: Coded, view: unknown): ActionAnswer {
  const given = String(code).toLowerCase()
  const fields = failures.flatMap(({ field }) =>
    field === KEY_HEADER ? field : (names[field.replace(/^input\./, '')] ?? []),
  )
  if (isErrorCode(given)) return refused(ERRORS[given].http, given, fields, view)
  // A variable that does not have the form of its type.
  const isBad = given === 'bad_user_input'
  return refused(isBad ? 400 : 500, isBad ? 'validation_error' : 'server_error', fields, view)
}
