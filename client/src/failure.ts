import { AccessDeniedError, ApiError, RateLimitedError, UnexpectedAnswerError, type FieldFailure } from './api-error.js'
import { ERROR_CLASSES, type ErrorCode } from './generated/errors.js'

/** The error that an answer stands for. @param body the parsed body; undefined where it is no JSON */
export function errorOf(response: Response, body: unknown): ApiError {
  const answer = isObject(body) ? body : {}
  const { status, message, errors, details, hint } = answer
  const failure = {
    code: typeof status === 'string' ? status : 'unknown',
    message: typeof message === 'string' ? message : `The answer is ${response.status} and not the service's.`,
    httpStatus: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    fields: Array.isArray(errors) ? (errors as FieldFailure[]) : undefined,
    details: textOf(details) ?? textOf(hint),
  }
  if (isCode(failure.code)) return new ERROR_CLASSES[failure.code](failure)
  // The two answers of the gateway are no envelopes.
  if (answer['code'] === 429) return new RateLimitedError({ ...failure, code: 'rate_limited' })
  if (answer['code'] === 403) return new AccessDeniedError({ ...failure, code: 'access_denied' })
  return failure.code === 'unknown' ? new UnexpectedAnswerError(failure) : new ApiError(failure)
}

/** `Retry-After` in milliseconds, where it is a number of seconds, as this service sends it. */
function retryAfterMs(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) * 1000 : undefined
}

/** Whether it is a code that this version knows; a newer service may have others. */
export function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CLASSES, code)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
