import { ERRORS, isErrorCode, type ErrorCode, type FieldFailure } from '../kernel/errors.js'
import { isObject } from '../kernel/json.js'
import { IS_REQUIRED, restPath } from './read-input.js'
import type { Reply, Route } from './route.js'

/** The body of every answer on a documented path. */
export interface Envelope {
  statusCode: number
  success: boolean
  status: string
  message: string
  data?: unknown
  errors?: FieldFailure[]
  details?: string
}

/** The answer of a success; on a bare route the fields of `data` stand beside it too. */
export function successEnvelope({ http, status, message }: Reply, data: unknown, bare?: true): Envelope {
  return { ...(bare && isObject(data) && data), statusCode: http, success: true, status, message, data }
}

/** The codes that a route has for what is the same failure everywhere. */
export type OwnCodes = Pick<Route, 'badInput' | 'absentInput' | 'badFields' | 'crash'>

/** What is known of a failure, wherever it happened. */
export interface Failure {
  code: string | undefined
  message: string
  errors?: readonly FieldFailure[] | undefined
  details?: string | undefined
}

/**
 * The answer of a failure: the code's row of the error table, as the route wants it. What is not in the table is
 * unexpected, and says no more than its request id.
 */
export function failureEnvelope(failure: Failure, route: OwnCodes, requestId: string): Envelope {
  const code = codeFor(failure, route)
  const { http, message: standard } = ERRORS[code]
  const isUnexpected = code === 'server_error' || code === 'server_failed'
  return {
    statusCode: http,
    success: false,
    status: code,
    message: isUnexpected ? `${standard} Request id: ${requestId}.` : messageOf(failure) || standard,
    ...(code === 'validation_error' && {
      errors: (failure.errors ?? []).map(({ field, message }) => ({ field: restPath(field), message })),
    }),
    ...(!isUnexpected && failure.details !== undefined && { details: failure.details }),
  }
}

/** The sentence of a failure; where that names a field, by the name that the field has here. */
function messageOf({ message, errors }: Failure): string {
  const [first] = errors ?? []
  return first && message.startsWith(`${first.field}: `) ? `${restPath(first.field)}: ${first.message}` : message
}

function codeFor({ code, errors }: Failure, route: OwnCodes): ErrorCode {
  const known = code?.toLowerCase()
  if (known === 'validation_error' || known === 'bad_user_input') {
    const absent = errors?.length && errors.every(({ message }) => message === IS_REQUIRED)
    return ownCode(errors, route) ?? (absent ? route.absentInput : undefined) ?? route.badInput ?? 'validation_error'
  }
  if (known === 'server_error' || !isErrorCode(known)) return route.crash ?? 'server_error'
  return known
}

/** The code of bad fields that have one of their own, where no others are bad. */
function ownCode(errors: Failure['errors'], { badFields }: OwnCodes): ErrorCode | undefined {
  const codes = (errors ?? []).map(({ field }) => badFields?.[restPath(field).split('.')[0] ?? ''])
  return codes.every((code) => code === codes[0]) ? codes[0] : undefined
}
