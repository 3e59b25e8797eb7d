import type { FieldFailure } from '../kernel/errors.js'

/** One of a payload's `errors`, as far as a document asks for it. */
export interface PayloadError {
  code: string
  path: readonly string[] | null
  message?: string
  details?: string | null
}

/** What is known of a failure that came back from the graph. */
export interface PayloadFailure {
  /** In capitals. */
  code: string
  message: string
  errors?: readonly FieldFailure[]
  details?: string
}

/** The failure that the `errors` of a mutation's payload tell of, as it was thrown; undefined where there are none. */
export function payloadFailure(told: readonly PayloadError[]): PayloadFailure | undefined {
  const [first] = told
  if (!first) return undefined
  const errors = told.flatMap(({ path, message = '' }) => (path ? [{ field: path.join('.'), message }] : []))
  const { code, message = '', details } = first
  return {
    code,
    message: code === 'VALIDATION_ERROR' && errors[0] ? `${errors[0].field}: ${message}` : message,
    ...(errors.length > 0 && { errors }),
    ...(details != null && { details }),
  }
}
