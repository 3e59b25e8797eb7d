/** One wrong field of a request: its dotted path, or `body`, and what is wrong with it. */
export interface FieldFailure {
  field: string
  message: string
}

/** What is known of a failure. */
export interface Failure {
  code: string
  message: string
  httpStatus: number
  /** What support asks for. */
  requestId: string | undefined
  /** With `validation_error`: every wrong field. */
  fields?: readonly FieldFailure[] | undefined
  details?: string | undefined
  /** How long the service asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined
}

/** A call that failed. */
export class CallError extends Error {
  /** What a writing call was sent under: the same call under it does nothing twice. */
  idempotencyKey: string | undefined = undefined
  /** Whether one of the tries of a writing call may have been done, though its answer did not come or is no success. */
  mayHaveHappened = false
}

/** An answer of the service that is no success. Each code has a class of its own, in `errors`. */
export class ApiError extends CallError {
  /** The code of the table of errors, as the answer's `status` has it. */
  readonly code: string
  readonly httpStatus: number
  readonly requestId: string | undefined
  readonly fields: readonly FieldFailure[]
  readonly details: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(failure: Failure) {
    super(failure.message)
    this.name = new.target.name
    this.code = failure.code
    this.httpStatus = failure.httpStatus
    this.requestId = failure.requestId
    this.fields = failure.fields ?? []
    this.details = failure.details
    this.retryAfterMs = failure.retryAfterMs
  }
}

/** 403 of the gateway: the key is in a wrong header. `details` says what was found. */
export class AccessDeniedError extends ApiError {}

/** 429 of the gateway: the rate limit of the key is exceeded. */
export class RateLimitedError extends ApiError {}

/** An answer that is not the service's: of a proxy, or of another server. */
export class UnexpectedAnswerError extends ApiError {}

/** No answer came: the connection failed, or the time was over. What was asked for may have happened. */
export class ConnectionError extends CallError {
  override readonly name: string = 'ConnectionError'
}
