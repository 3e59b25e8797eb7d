/** What went wrong with a provider, whichever it is. */
export type ProviderErrorKind =
  | 'invalid_request'
  | 'auth'
  | 'not_found'
  | 'conflict'
  | 'declined'
  | 'rate_limited'
  | 'unavailable'
  | 'timeout'
  | 'protocol'

/**
 * A provider's failure in our words. It carries no text of the provider's, which may quote what we sent it; the answer's
 * body is in `body`, for the adapter alone, and no logger or serializer finds it.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly provider: string
  readonly kind: ProviderErrorKind
  readonly httpStatus: number | undefined
  readonly providerCode: string | undefined
  /** Whether repeating the same request may succeed and cannot do its work twice. */
  readonly retryable: boolean
  /** The parsed answer, where there was one. */
  declare readonly body: unknown

  constructor(options: {
    provider: string
    kind: ProviderErrorKind
    retryable: boolean
    message: string
    httpStatus?: number | undefined
    providerCode?: string | undefined
    body?: unknown
    cause?: unknown
  }) {
    super(options.message, { cause: options.cause })
    this.provider = options.provider
    this.kind = options.kind
    this.httpStatus = options.httpStatus
    this.providerCode = options.providerCode
    this.retryable = options.retryable
    Object.defineProperty(this, 'body', { value: options.body, enumerable: false })
  }
}

/** The failure of a provider whose answer is not what its API promises. */
export function protocolError(provider: string, message: string): ProviderError {
  return new ProviderError({ provider, kind: 'protocol', retryable: false, message })
}

const KIND_OF_STATUS: Readonly<Record<number, ProviderErrorKind>> = {
  401: 'auth',
  402: 'declined',
  403: 'auth',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  410: 'not_found',
  429: 'rate_limited',
  504: 'timeout',
}

/** The kind of failure that an HTTP status other than 2xx stands for, and whether the request can be repeated. */
export function failureOfStatus(status: number, idempotent: boolean): { kind: ProviderErrorKind; retryable: boolean } {
  const kind =
    KIND_OF_STATUS[status] ?? (status >= 500 ? 'unavailable' : status >= 400 ? 'invalid_request' : 'protocol')
  // A server that failed may have done the work before; one that limits the rate has not begun.
  const retryable = kind === 'rate_limited' || (idempotent && (kind === 'unavailable' || kind === 'timeout'))
  return { kind, retryable }
}

/** The answer's own error code (`code`), where it is short and plain enough to be logged. */
export function readProviderCode(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body)) return undefined
  const { code } = body
  if (typeof code !== 'string' && typeof code !== 'number') return undefined
  const text = String(code)
  return /^[\w.:-]{1,64}$/.test(text) ? text : undefined
}
