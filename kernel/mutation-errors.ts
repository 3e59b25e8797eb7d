import { AppError, ERRORS, type ErrorCode } from './errors.js'

/**
 * What is about the request and not about what it asks: its HTTP, its key, its rate, its `Idempotency-Key`. Over GraphQL these
 * stay errors of the answer, and so do unexpected failures, which say nothing but a request id.
 */
const OF_REQUESTS = [
  'payload_too_large',
  'answer_too_large',
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'unsupported_media_type',
  'unauthorized',
  'customer_not_logged',
  'permission_denied',
  'proof_required',
  'too_many_operations',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'server_error',
  'server_failed',
] as const satisfies readonly ErrorCode[]

type RequestCode = (typeof OF_REQUESTS)[number]

/** A code that the `errors` of a mutation may have. */
type OperationCode = Exclude<ErrorCode, RequestCode>

/** The codes that the `errors` of a mutation may have, in the order of the table of errors. */
export const OPERATION_CODES: readonly OperationCode[] = (Object.keys(ERRORS) as ErrorCode[]).filter(isOfOperation)

/** One of the `errors` of a mutation, as `MutationError` of the schema has it. */
export interface MutationError {
  __typename: 'InputError' | 'OperationError'
  /** In capitals. */
  code: string
  message: string
  /** From the input down; null where no field of it is to blame. */
  path: readonly string[] | null
  details: string | null
}

/** Whether a failure is about what was asked, so that it stands in the `errors` of a mutation. */
export function isOperationError(error: unknown): error is AppError {
  return error instanceof AppError && isOfOperation(error.code)
}

/** The `errors` of a mutation that failed: one for each bad field, or one. */
export function mutationErrors(error: AppError): readonly MutationError[] {
  const { message, errors = [], details = null } = error
  const code = error.code.toUpperCase()
  if (errors.length === 0) return [{ __typename: 'OperationError', code, message, path: null, details }]
  return errors.map((failure) => ({
    __typename: 'InputError',
    code,
    // Only of a validation do the fields tell what is wrong; elsewhere the sentence is the failure's own.
    message: error.code === 'validation_error' ? failure.message : message,
    path: failure.field.split('.'),
    details,
  }))
}

function isOfOperation(code: ErrorCode): code is OperationCode {
  return !(OF_REQUESTS as readonly ErrorCode[]).includes(code)
}
