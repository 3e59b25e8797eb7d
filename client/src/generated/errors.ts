// Written by `npm run schema` from the OpenAPI document.

import { ApiError } from '../api-error.js'

/** 400: The request is not valid. */
export class ValidationError extends ApiError {}

/** 400: A parameter is not valid. */
export class InvalidParametersError extends ApiError {}

/** 400: A required field is missing. */
export class MissingParamsError extends ApiError {}

/** 400: The query parameters do not fit together. */
export class ParamsMismatchError extends ApiError {}

/** 400: No market is known for this pair. */
export class PairNotFoundError extends ApiError {}

/** 404: No such path. */
export class NotFoundError extends ApiError {}

/** 405: This path does not take that method. */
export class MethodNotAllowedError extends ApiError {}

/** 413: The body is larger than 256 KiB. */
export class PayloadTooLargeError extends ApiError {}

/** 400: The answer would be larger than 10 MB; ask for less at once. */
export class AnswerTooLargeError extends ApiError {}

/** 400: The request is not HTTP that we understand. */
export class BadRequestError extends ApiError {}

/** 408: The request took too long to arrive. */
export class RequestTimeoutError extends ApiError {}

/** 431: The headers of the request are too large. */
export class HeadersTooLargeError extends ApiError {}

/** 415: The body must be application/json in UTF-8. */
export class UnsupportedMediaTypeError extends ApiError {}

/** 401: Invalid or missing API key. */
export class UnauthorizedError extends ApiError {}

/** 401: This operation needs the API key of a tenant. */
export class CustomerNotLoggedError extends ApiError {}

/** 403: This key, or this role, may not do that. */
export class PermissionDeniedError extends ApiError {}

/** 403: Prove first that it is you who does this. */
export class ProofRequiredError extends ApiError {}

/** 403: The product is not enabled. */
export class ProductDisabledError extends ApiError {}

/** 429: Too many large operations of this account wait already; try again. */
export class TooManyOperationsError extends ApiError {}

/** 429: Too many streams of events are open with this key; close one. */
export class TooManyStreamsError extends ApiError {}

/** 422: This Idempotency-Key was used with another request. */
export class IdempotencyKeyReusedError extends ApiError {}

/** 409: The first request with this Idempotency-Key is still running. */
export class IdempotencyInProgressError extends ApiError {}

/** 404: No such order. */
export class OrderNotFoundError extends ApiError {}

/** 409: The order is not active. */
export class OrderInactiveError extends ApiError {}

/** 429: The account already has 20 orders. */
export class OrderLimitReachedError extends ApiError {}

/** 400: No known field was sent. */
export class NoFieldsToUpdateError extends ApiError {}

/** 404: No such subscription. */
export class SubscriptionNotFoundError extends ApiError {}

/** 409: The subscription has ended. */
export class SubscriptionCanceledError extends ApiError {}

/** 404: No such payment. */
export class PaymentNotFoundError extends ApiError {}

/** 409: The payment does not take another attempt in its present state. */
export class PaymentAlreadyProcessedError extends ApiError {}

/** 409: The payment was not paid, or by a wallet straight to its receivers. */
export class PaymentNotRefundableError extends ApiError {}

/** 409: The refund is more than what is left of the payment. */
export class RefundExceedsPaymentError extends ApiError {}

/** 409: The balance for refunds does not cover what has been paid out. */
export class InsufficientRefundBalanceError extends ApiError {}

/** 404: No such refund. */
export class RefundNotFoundError extends ApiError {}

/** 409: The payment is not waiting for a signed transaction. */
export class InvalidPaymentStatusError extends ApiError {}

/** 409: No transaction was created for this payment yet. */
export class MissingUnsignedTransactionError extends ApiError {}

/** 400: What was signed is not what was built. */
export class InvalidSignedTransactionError extends ApiError {}

/** 400: The signed transaction is for another chain. */
export class InvalidChainError extends ApiError {}

/** 400: The nonce was used meanwhile; build the transaction again. */
export class StaleTransactionNonceError extends ApiError {}

/** 500: The transaction was reverted on chain. */
export class PaymentFailedError extends ApiError {}

/** 403: The payer has to verify their identity first. */
export class KycVerificationRequiredError extends ApiError {}

/** 403: The payer's identity verification is not approved. */
export class KycNotApprovedError extends ApiError {}

/** 403: The payer's tax id is not the verified person's. */
export class PayerDocumentMismatchError extends ApiError {}

/** 403: A wallet of the payment may neither pay nor be paid. */
export class WalletRefusedError extends ApiError {}

/** 403: The payment is above a limit of the account or its payer. */
export class PaymentLimitExceededError extends ApiError {}

/** 409: The default integration of the account has no webhook address. */
export class WebhookAddressMissingError extends ApiError {}

/** 409: The delivery's webhook endpoint is switched off or was deleted. */
export class WebhookEndpointOffError extends ApiError {}

/** 429: The account has ordered 10,000 replays and test events of webhooks today (UTC). */
export class ReplayLimitReachedError extends ApiError {}

/** 404: This e-mail address was not prepared for verification. */
export class UserNotFoundError extends ApiError {}

/** 400: The e-mail address is verified already. */
export class EmailAlreadyVerifiedError extends ApiError {}

/** 400: The code is wrong. */
export class OtpInvalidError extends ApiError {}

/** 400: The code has expired; request a new one. */
export class OtpExpiredError extends ApiError {}

/** 400: Too many wrong tries; request a new code. */
export class OtpMaxAttemptsError extends ApiError {}

/** 429: Too many codes were sent to this address; try again later. */
export class OtpRateLimitedError extends ApiError {}

/** 404: No identity verification is known for this e-mail address or wallet. */
export class KycNotFoundError extends ApiError {}

/** 403: The e-mail address or wallet has to be proved first. */
export class IdentityNotVerifiedError extends ApiError {}

/** 403: This e-mail address or wallet was not prepared for verification. */
export class UserNotPreparedError extends ApiError {}

/** 404: No such verification method. */
export class MethodNotFoundError extends ApiError {}

/** 429: The monthly quota of verification sessions is used up. */
export class VerifyQuotaExceededError extends ApiError {}

/** 400: This is not the address of an EVM or Solana wallet that can sign. */
export class InvalidWalletError extends ApiError {}

/** 400: The signature does not prove the wallet. */
export class SignatureInvalidError extends ApiError {}

/** 400: The message is not a challenge that is open. */
export class ChallengeInvalidError extends ApiError {}

/** 400: The challenge has expired; request a new one. */
export class ChallengeExpiredError extends ApiError {}

/** 409: The e-mail address and the wallet are not linked to each other only. */
export class EmailAlreadyLinkedError extends ApiError {}

/** 400: The position is smaller than the amount. */
export class InsufficientPositionError extends ApiError {}

/** 400: The strategy is switched off. */
export class StrategyDisabledError extends ApiError {}

/** 400: No usable signed transaction was sent. */
export class SignedTransactionMissingError extends ApiError {}

/** 413: The operation does not fit into a transaction. */
export class RebalanceTransactionTooLargeError extends ApiError {}

/** 502: The chain refused the transaction. */
export class BroadcastRejectedError extends ApiError {}

/** 502: The transaction would fail on chain. */
export class BroadcastSimulationFailedError extends ApiError {}

/** 502: The chain could not be reached. */
export class BroadcastRpcUnavailableError extends ApiError {}

/** 502: The transaction landed and failed. */
export class ConfirmTransactionFailedError extends ApiError {}

/** 502: The chain could not be asked about the transaction. */
export class ConfirmRpcUnavailableError extends ApiError {}

/** 504: The transaction was sent but not confirmed in time. */
export class BroadcastConfirmationTimeoutError extends ApiError {}

/** 409: The blockhash expired; build the transaction again and sign it. */
export class SolanaBlockhashExpiredError extends ApiError {}

/** 502: A system behind this operation is not available. */
export class ProviderUnavailableError extends ApiError {}

/** 504: A system behind this operation did not answer in time. */
export class ProviderTimeoutError extends ApiError {}

/** 500: Something went wrong on our side. */
export class ServerError extends ApiError {}

/** 500: Something went wrong on our side. */
export class ServerFailedError extends ApiError {}

/** The class of each code. */
export const ERROR_CLASSES = {
  validation_error: ValidationError,
  invalid_parameters: InvalidParametersError,
  missing_params: MissingParamsError,
  params_mismatch: ParamsMismatchError,
  pair_not_found: PairNotFoundError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  payload_too_large: PayloadTooLargeError,
  answer_too_large: AnswerTooLargeError,
  bad_request: BadRequestError,
  request_timeout: RequestTimeoutError,
  headers_too_large: HeadersTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  unauthorized: UnauthorizedError,
  customer_not_logged: CustomerNotLoggedError,
  permission_denied: PermissionDeniedError,
  proof_required: ProofRequiredError,
  product_disabled: ProductDisabledError,
  too_many_operations: TooManyOperationsError,
  too_many_streams: TooManyStreamsError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  idempotency_in_progress: IdempotencyInProgressError,
  order_not_found: OrderNotFoundError,
  order_inactive: OrderInactiveError,
  order_limit_reached: OrderLimitReachedError,
  no_fields_to_update: NoFieldsToUpdateError,
  subscription_not_found: SubscriptionNotFoundError,
  subscription_canceled: SubscriptionCanceledError,
  payment_not_found: PaymentNotFoundError,
  payment_already_processed: PaymentAlreadyProcessedError,
  payment_not_refundable: PaymentNotRefundableError,
  refund_exceeds_payment: RefundExceedsPaymentError,
  insufficient_refund_balance: InsufficientRefundBalanceError,
  refund_not_found: RefundNotFoundError,
  invalid_payment_status: InvalidPaymentStatusError,
  missing_unsigned_transaction: MissingUnsignedTransactionError,
  invalid_signed_transaction: InvalidSignedTransactionError,
  invalid_chain: InvalidChainError,
  stale_transaction_nonce: StaleTransactionNonceError,
  payment_failed: PaymentFailedError,
  kyc_verification_required: KycVerificationRequiredError,
  kyc_not_approved: KycNotApprovedError,
  payer_document_mismatch: PayerDocumentMismatchError,
  wallet_refused: WalletRefusedError,
  payment_limit_exceeded: PaymentLimitExceededError,
  webhook_address_missing: WebhookAddressMissingError,
  webhook_endpoint_off: WebhookEndpointOffError,
  replay_limit_reached: ReplayLimitReachedError,
  user_not_found: UserNotFoundError,
  email_already_verified: EmailAlreadyVerifiedError,
  otp_invalid: OtpInvalidError,
  otp_expired: OtpExpiredError,
  otp_max_attempts: OtpMaxAttemptsError,
  otp_rate_limited: OtpRateLimitedError,
  kyc_not_found: KycNotFoundError,
  identity_not_verified: IdentityNotVerifiedError,
  user_not_prepared: UserNotPreparedError,
  method_not_found: MethodNotFoundError,
  verify_quota_exceeded: VerifyQuotaExceededError,
  invalid_wallet: InvalidWalletError,
  signature_invalid: SignatureInvalidError,
  challenge_invalid: ChallengeInvalidError,
  challenge_expired: ChallengeExpiredError,
  email_already_linked: EmailAlreadyLinkedError,
  insufficient_position: InsufficientPositionError,
  strategy_disabled: StrategyDisabledError,
  signed_transaction_missing: SignedTransactionMissingError,
  rebalance_transaction_too_large: RebalanceTransactionTooLargeError,
  broadcast_rejected: BroadcastRejectedError,
  broadcast_simulation_failed: BroadcastSimulationFailedError,
  broadcast_rpc_unavailable: BroadcastRpcUnavailableError,
  confirm_transaction_failed: ConfirmTransactionFailedError,
  confirm_rpc_unavailable: ConfirmRpcUnavailableError,
  broadcast_confirmation_timeout: BroadcastConfirmationTimeoutError,
  solana_blockhash_expired: SolanaBlockhashExpiredError,
  provider_unavailable: ProviderUnavailableError,
  provider_timeout: ProviderTimeoutError,
  server_error: ServerError,
  server_failed: ServerFailedError,
} as const satisfies Readonly<Record<string, typeof ApiError>>

/** A code that an answer may carry as its `status`. */
export type ErrorCode = keyof typeof ERROR_CLASSES
