/** The answer of an operation that succeeded. */
export interface Answer<Status extends string, Data> {
  /** What happened, as one word: `payment_registered`. */
  status: Status
  /** The same as a sentence. */
  message: string
  data: Data
  requestId: string | undefined
  /** Whether it is the first answer of an idempotency key, given again. */
  isReplayed: boolean
}

/** What one call may set. */
export interface CallOptions {
  /** Ends the call, and its retries. */
  signal?: AbortSignal
  /** Of a writing operation; one that nothing else has is made where it is left out. */
  idempotencyKey?: string
  /** How long one try may take, in milliseconds. */
  timeoutMs?: number
  /** How often a failed try is repeated; 0 for never. */
  maxRetries?: number
}

/** Sends a request of an operation. @param path with `{name}` where a parameter belongs */
export type Send = <Status extends string, Data>(
  method: string,
  path: string,
  params: object,
  options?: CallOptions,
) => Promise<Answer<Status, Data>>
