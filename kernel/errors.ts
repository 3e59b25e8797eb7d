/**
 * THE table of errors: code → HTTP status and default message. REST envelopes, GraphQL `extensions.code` and
 * `docs/errors.md` all follow from it; nothing else in the product names an HTTP status for a failure.
 */
export const ERRORS = {
  // The request itself
  validation_error: { http: 400, message: 'The request is not valid.' },
  invalid_parameters: { http: 400, message: 'A parameter is not valid.' },
  missing_params: { http: 400, message: 'A required field is missing.' },
  params_mismatch: { http: 400, message: 'The query parameters do not fit together.' },
  pair_not_found: { http: 400, message: 'No market is known for this pair.' },
  not_found: { http: 404, message: 'No such path.' },
  method_not_allowed: { http: 405, message: 'This path does not take that method.' },
  payload_too_large: { http: 413, message: 'The body is larger than 256 KiB.' },
  answer_too_large: { http: 400, message: 'The answer would be larger than 10 MB; ask for less at once.' },
  bad_request: { http: 400, message: 'The request is not HTTP that we understand.' },
  request_timeout: { http: 408, message: 'The request took too long to arrive.' },
  headers_too_large: { http: 431, message: 'The headers of the request are too large.' },
  unsupported_media_type: { http: 415, message: 'The body must be application/json in UTF-8.' },
  // Keys, products
  unauthorized: { http: 401, message: 'Invalid or missing API key.' },
  customer_not_logged: { http: 401, message: 'This operation needs the API key of a tenant.' },
  permission_denied: { http: 403, message: 'This key, or this role, may not do that.' },
  proof_required: { http: 403, message: 'Prove first that it is you who does this.' },
  product_disabled: { http: 403, message: 'The product is not enabled.' },
  // Rate
  too_many_operations: { http: 429, message: 'Too many large operations of this account wait already; try again.' },
  too_many_streams: { http: 429, message: 'Too many streams of events are open with this key; close one.' },
  // Idempotency
  idempotency_key_reused: { http: 422, message: 'This Idempotency-Key was used with another request.' },
  idempotency_in_progress: { http: 409, message: 'The first request with this Idempotency-Key is still running.' },
  // Orders
  order_not_found: { http: 404, message: 'No such order.' },
  order_inactive: { http: 409, message: 'The order is not active.' },
  order_limit_reached: { http: 429, message: 'The account already has 20 orders.' },
  no_fields_to_update: { http: 400, message: 'No known field was sent.' },
  // Subscriptions
  subscription_not_found: { http: 404, message: 'No such subscription.' },
  subscription_canceled: { http: 409, message: 'The subscription has ended.' },
  // Payments
  payment_not_found: { http: 404, message: 'No such payment.' },
  payment_already_processed: { http: 409, message: 'The payment does not take another attempt in its present state.' },
  payment_not_refundable: { http: 409, message: 'The payment was not paid, or by a wallet straight to its receivers.' },
  refund_exceeds_payment: { http: 409, message: 'The refund is more than what is left of the payment.' },
  insufficient_refund_balance: { http: 409, message: 'The balance for refunds does not cover what has been paid out.' },
  refund_not_found: { http: 404, message: 'No such refund.' },
  invalid_payment_status: { http: 409, message: 'The payment is not waiting for a signed transaction.' },
  missing_unsigned_transaction: { http: 409, message: 'No transaction was created for this payment yet.' },
  invalid_signed_transaction: { http: 400, message: 'What was signed is not what was built.' },
  invalid_chain: { http: 400, message: 'The signed transaction is for another chain.' },
  stale_transaction_nonce: { http: 400, message: 'The nonce was used meanwhile; build the transaction again.' },
  payment_failed: { http: 500, message: 'The transaction was reverted on chain.' },
  kyc_verification_required: { http: 403, message: 'The payer has to verify their identity first.' },
  kyc_not_approved: { http: 403, message: "The payer's identity verification is not approved." },
  payer_document_mismatch: { http: 403, message: "The payer's tax id is not the verified person's." },
  wallet_refused: { http: 403, message: 'A wallet of the payment may neither pay nor be paid.' },
  payment_limit_exceeded: { http: 403, message: 'The payment is above a limit of the account or its payer.' },
  // Webhooks
  webhook_address_missing: { http: 409, message: 'The default integration of the account has no webhook address.' },
  webhook_endpoint_off: { http: 409, message: "The delivery's webhook endpoint is switched off or was deleted." },
  replay_limit_reached: {
    http: 429,
    message: 'The account has ordered 10,000 replays and test events of webhooks today (UTC).',
  },
  // Identity verification
  user_not_found: { http: 404, message: 'This e-mail address was not prepared for verification.' },
  email_already_verified: { http: 400, message: 'The e-mail address is verified already.' },
  otp_invalid: { http: 400, message: 'The code is wrong.' },
  otp_expired: { http: 400, message: 'The code has expired; request a new one.' },
  otp_max_attempts: { http: 400, message: 'Too many wrong tries; request a new code.' },
  otp_rate_limited: { http: 429, message: 'Too many codes were sent to this address; try again later.' },
  kyc_not_found: { http: 404, message: 'No identity verification is known for this e-mail address or wallet.' },
  identity_not_verified: { http: 403, message: 'The e-mail address or wallet has to be proved first.' },
  user_not_prepared: { http: 403, message: 'This e-mail address or wallet was not prepared for verification.' },
  method_not_found: { http: 404, message: 'No such verification method.' },
  verify_quota_exceeded: { http: 429, message: 'The monthly quota of verification sessions is used up.' },
  invalid_wallet: { http: 400, message: 'This is not the address of an EVM or Solana wallet that can sign.' },
  signature_invalid: { http: 400, message: 'The signature does not prove the wallet.' },
  challenge_invalid: { http: 400, message: 'The message is not a challenge that is open.' },
  challenge_expired: { http: 400, message: 'The challenge has expired; request a new one.' },
  email_already_linked: { http: 409, message: 'The e-mail address and the wallet are not linked to each other only.' },
  // Yield
  insufficient_position: { http: 400, message: 'The position is smaller than the amount.' },
  strategy_disabled: { http: 400, message: 'The strategy is switched off.' },
  signed_transaction_missing: { http: 400, message: 'No usable signed transaction was sent.' },
  rebalance_transaction_too_large: { http: 413, message: 'The operation does not fit into a transaction.' },
  // Relay and confirmation
  broadcast_rejected: { http: 502, message: 'The chain refused the transaction.' },
  broadcast_simulation_failed: { http: 502, message: 'The transaction would fail on chain.' },
  broadcast_rpc_unavailable: { http: 502, message: 'The chain could not be reached.' },
  confirm_transaction_failed: { http: 502, message: 'The transaction landed and failed.' },
  confirm_rpc_unavailable: { http: 502, message: 'The chain could not be asked about the transaction.' },
  broadcast_confirmation_timeout: { http: 504, message: 'The transaction was sent but not confirmed in time.' },
  solana_blockhash_expired: { http: 409, message: 'The blockhash expired; build the transaction again and sign it.' },
  // Systems behind ours
  provider_unavailable: { http: 502, message: 'A system behind this operation is not available.' },
  provider_timeout: { http: 504, message: 'A system behind this operation did not answer in time.' },
  // Ours
  server_error: { http: 500, message: 'Something went wrong on our side.' },
  server_failed: { http: 500, message: 'Something went wrong on our side.' },
} as const satisfies Record<string, { http: number; message: string }>

/** A code of the error table. */
export type ErrorCode = keyof typeof ERRORS

/** One bad input field: the dotted path (`splitPaymentConfig.0.receiverPercent`, or `body`) and what is wrong with it. */
export interface FieldFailure {
  field: string
  message: string
}

/**
 * The failure of a field that is bad; none of one that is not.
 * @param message a function where it takes lists to say: most fields are not bad
 */
export function failureWhen(isBad: boolean, field: string, message: string | (() => string)): FieldFailure[] {
  if (!isBad) return []
  return [{ field, message: typeof message === 'string' ? message : message() }]
}

/** How many bad fields are listed. A body of 256 KiB can have tens of thousands, and no person mends more than these at once. */
export const FAILURES_MAX = 50

/** A failure that a caller may see: its code, a sentence, and for `validation_error` the fields. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly errors: readonly FieldFailure[] | undefined
  readonly details: string | undefined

  constructor(
    readonly code: ErrorCode,
    options: { message?: string; errors?: readonly FieldFailure[]; details?: string; cause?: unknown } = {},
  ) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause })
    this.errors = options.errors?.slice(0, FAILURES_MAX)
    this.details = options.details
  }

  /** What GraphQL shows of the error: graphql-js copies the `extensions` of whatever a resolver throws. */
  get extensions(): Record<string, unknown> {
    const { errors, details } = this
    return { code: this.code.toUpperCase(), ...(errors && { errors }), ...(details !== undefined && { details }) }
  }
}

/** A `validation_error` that names the given fields. */
export function validationError(errors: readonly FieldFailure[]): AppError {
  const [first] = errors
  return new AppError('validation_error', { errors, ...(first && { message: `${first.field}: ${first.message}` }) })
}

/** Whether `code` is one of the error table. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
}

/** `Retry-After` of `idempotency_in_progress`: most requests end within it, and a dead one's key is free in four. */
export const IN_PROGRESS_RETRY_SECONDS = 1
