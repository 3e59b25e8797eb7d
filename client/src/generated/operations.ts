// Written by `npm run schema` from the OpenAPI document.

import type { Answer, CallOptions, Send } from '../call.js'
import type { BroadcastYieldData, BroadcastYieldParams, CancelPaymentData, CancelPaymentParams, ConfigProductsParams, CreateKycSessionData, CreateKycSessionParams, CreateOrderData, CreateOrderParams, CreateTransactionData, CreateTransactionParams, CreateWalletChallengeData, CreateWalletChallengeParams, DeleteOrderData, DeleteOrderParams, DepositYieldData, DepositYieldParams, ExecuteOnChainData, ExecuteOnChainParams, GetOrderParams, KycRecordData, KycStatusParams, ListOrdersData, ListOrdersParams, ListPaymentsData, ListPaymentsParams, ListRefundsData, ListRefundsParams, ListWebhookDeliveriesData, ListWebhookDeliveriesParams, OrderData, PaymentData, PaymentStatusParams, PrepareKycData, PrepareKycParams, PrepareWalletKycData, PrepareWalletKycParams, ProductsData, QuoteMarketData, QuoteMarketParams, RebalanceOpportunitiesData, RebalanceOpportunitiesOfTokenParams, RebalanceOpportunitiesParams, RebalanceYieldData, RebalanceYieldParams, RefundPaymentData, RefundPaymentParams, RegisterPaymentData, RegisterPaymentParams, ReplayWebhookDeliveryData, ReplayWebhookDeliveryParams, SendEmailOtpData, SendEmailOtpParams, SendTestWebhookData, SendTestWebhookParams, ToggleOrderByPostParams, ToggleOrderData, ToggleOrderParams, TokenizeCardData, TokenizeCardParams, UpdateOrderData, UpdateOrderParams, VerifyEmailOtpData, VerifyEmailOtpParams, WithdrawYieldData, WithdrawYieldParams, YieldEarningsData, YieldEarningsParams, YieldStrategiesData, YieldStrategiesOfTokenParams, YieldStrategiesParams } from './types.js'

/** Every operation of the REST layer as a method. @param send sends a request and gives its answer */
export function operations(send: Send) {
  return {
    /**
     * Registers a payment, from its full terms or from an order.
     *
     * `POST /payment/register/intents-create-order`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `product_disabled`, `permission_denied`, `order_not_found`, `order_inactive`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    registerPayment: (params: RegisterPaymentParams, options?: CallOptions): Promise<Answer<"payment_registered", RegisterPaymentData>> =>
      send('POST', '/payment/register/intents-create-order', params, options),
    /**
     * Creates the transaction of a registered payment: an unsigned one for a wallet, or a charge.
     *
     * `POST /payment/register/intents-create-transaction`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `product_disabled`, `kyc_verification_required`, `kyc_not_approved`, `payer_document_mismatch`, `wallet_refused`, `payment_limit_exceeded`, `permission_denied`, `payment_not_found`, `payment_already_processed`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `broadcast_simulation_failed`, `provider_timeout`
     */
    createTransaction: (params: CreateTransactionParams, options?: CallOptions): Promise<Answer<"payment_registered", CreateTransactionData>> =>
      send('POST', '/payment/register/intents-create-transaction', params, options),
    /**
     * Has the card processor keep a card for one use within 60 seconds.
     *
     * `POST /payment/card/tokenize`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `product_disabled`, `permission_denied`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    tokenizeCard: (params: TokenizeCardParams, options?: CallOptions): Promise<Answer<"card_tokenized", TokenizeCardData>> =>
      send('POST', '/payment/card/tokenize', params, options),
    /**
     * A payment and where it stands.
     *
     * `GET /payment/{id}/status`
     * @throws ApiError with the code `unauthorized`, `customer_not_logged`, `permission_denied`, `payment_not_found`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    paymentStatus: (params: PaymentStatusParams, options?: CallOptions): Promise<Answer<"payment_found", PaymentData>> =>
      send('GET', '/payment/{id}/status', params, options),
    /**
     * The tenant's payments, newest first, page by page.
     *
     * `GET /payment/list`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    listPayments: (params: ListPaymentsParams = {}, options?: CallOptions): Promise<Answer<"payments_listed", ListPaymentsData>> =>
      send('GET', '/payment/list', params, options),
    /**
     * Cancels an unpaid payment for good.
     *
     * `POST /payment/{id}/cancel`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `payment_not_found`, `payment_already_processed`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    cancelPayment: (params: CancelPaymentParams, options?: CallOptions): Promise<Answer<"payment_canceled", CancelPaymentData>> =>
      send('POST', '/payment/{id}/cancel', params, options),
    /**
     * Refunds a payment that was charged by Pix or card, or a part of it.
     *
     * `POST /payment/{id}/refund`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `payment_not_found`, `payment_not_refundable`, `refund_exceeds_payment`, `insufficient_refund_balance`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    refundPayment: (params: RefundPaymentParams, options?: CallOptions): Promise<Answer<"refund_created", RefundPaymentData>> =>
      send('POST', '/payment/{id}/refund', params, options),
    /**
     * A payment's refunds, oldest first.
     *
     * `GET /payment/{id}/refunds`
     * @throws ApiError with the code `unauthorized`, `customer_not_logged`, `permission_denied`, `payment_not_found`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    listRefunds: (params: ListRefundsParams, options?: CallOptions): Promise<Answer<"refunds_listed", ListRefundsData>> =>
      send('GET', '/payment/{id}/refunds', params, options),
    /**
     * Relays the payer's signed transaction, once, and waits for its confirmation.
     *
     * `POST /payment/execute/on-chain`
     * @throws ApiError with the code `invalid_parameters`, `invalid_signed_transaction`, `invalid_chain`, `stale_transaction_nonce`, `unauthorized`, `customer_not_logged`, `permission_denied`, `payment_not_found`, `invalid_payment_status`, `missing_unsigned_transaction`, `solana_blockhash_expired`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `payment_failed`, `server_error`, `provider_unavailable`, `broadcast_rejected`, `broadcast_simulation_failed`, `broadcast_rpc_unavailable`, `confirm_rpc_unavailable`, `provider_timeout`, `broadcast_confirmation_timeout`
     */
    executeOnChain: (params: ExecuteOnChainParams, options?: CallOptions): Promise<Answer<"payment_confirmed" | "payment_received", ExecuteOnChainData>> =>
      send('POST', '/payment/execute/on-chain', params, options),
    /**
     * The price of a pair of currencies.
     *
     * `GET /quote/market`
     * @throws ApiError with the code `params_mismatch`, `pair_not_found`, `unauthorized`, `permission_denied`, `server_failed`, `provider_unavailable`, `provider_timeout`
     */
    quoteMarket: (params: QuoteMarketParams = {}, options?: CallOptions): Promise<Answer<"quote_ok", QuoteMarketData>> =>
      send('GET', '/quote/market', params, options),
    /**
     * The products that are enabled for the key.
     *
     * `GET /config/products`
     * @throws ApiError with the code `unauthorized`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    configProducts: (params: ConfigProductsParams = {}, options?: CallOptions): Promise<Answer<"products_retrieved", ProductsData>> =>
      send('GET', '/config/products', params, options),
    /**
     * Creates a reusable order; an account has at most 20.
     *
     * `POST /order/create`
     * @throws ApiError with the code `invalid_parameters`, `validation_error`, `unauthorized`, `customer_not_logged`, `product_disabled`, `permission_denied`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `order_limit_reached`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    createOrder: (params: CreateOrderParams, options?: CallOptions): Promise<Answer<"order_created", CreateOrderData>> =>
      send('POST', '/order/create', params, options),
    /**
     * The tenant's orders, newest first.
     *
     * `GET /order/list`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    listOrders: (params: ListOrdersParams = {}, options?: CallOptions): Promise<Answer<"orders_listed", ListOrdersData>> =>
      send('GET', '/order/list', params, options),
    /**
     * One order.
     *
     * `GET /order/list/{order_id}`
     * @throws ApiError with the code `unauthorized`, `customer_not_logged`, `permission_denied`, `order_not_found`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    getOrder: (params: GetOrderParams, options?: CallOptions): Promise<Answer<"order_found", OrderData>> =>
      send('GET', '/order/list/{order_id}', params, options),
    /**
     * Changes some fields of an order.
     *
     * `PATCH /order/{order_id}`
     * @throws ApiError with the code `invalid_parameters`, `no_fields_to_update`, `validation_error`, `unauthorized`, `customer_not_logged`, `product_disabled`, `permission_denied`, `order_not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    updateOrder: (params: UpdateOrderParams, options?: CallOptions): Promise<Answer<"order_updated", UpdateOrderData>> =>
      send('PATCH', '/order/{order_id}', params, options),
    /**
     * Deletes an order; it no longer counts for the 20.
     *
     * `DELETE /order/{order_id}`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `order_not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    deleteOrder: (params: DeleteOrderParams, options?: CallOptions): Promise<Answer<"order_deleted", DeleteOrderData>> =>
      send('DELETE', '/order/{order_id}', params, options),
    /**
     * Switches an order off, or on again.
     *
     * `PATCH /order/{order_id}/toggle`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `order_not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    toggleOrder: (params: ToggleOrderParams, options?: CallOptions): Promise<Answer<"order_activated" | "order_deactivated", ToggleOrderData>> =>
      send('PATCH', '/order/{order_id}/toggle', params, options),
    /**
     * Switches an order off, or on again.
     *
     * `POST /order/{order_id}/toggle`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `order_not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    toggleOrderByPost: (params: ToggleOrderByPostParams, options?: CallOptions): Promise<Answer<"order_activated" | "order_deactivated", ToggleOrderData>> =>
      send('POST', '/order/{order_id}/toggle', params, options),
    /**
     * The webhook deliveries with their attempts, newest first, page by page.
     *
     * `GET /webhook/deliveries`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    listWebhookDeliveries: (params: ListWebhookDeliveriesParams = {}, options?: CallOptions): Promise<Answer<"webhook_deliveries_listed", ListWebhookDeliveriesData>> =>
      send('GET', '/webhook/deliveries', params, options),
    /**
     * Sends a webhook delivery again, now, under the same id.
     *
     * `POST /webhook/deliveries/{id}/replay`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `not_found`, `webhook_endpoint_off`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `replay_limit_reached`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    replayWebhookDelivery: (params: ReplayWebhookDeliveryParams, options?: CallOptions): Promise<Answer<"webhook_delivery_replayed", ReplayWebhookDeliveryData>> =>
      send('POST', '/webhook/deliveries/{id}/replay', params, options),
    /**
     * Sends a test event to the tenant's address.
     *
     * `POST /webhook/test`
     * @throws ApiError with the code `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `webhook_address_missing`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `replay_limit_reached`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    sendTestWebhook: (params: SendTestWebhookParams, options?: CallOptions): Promise<Answer<"webhook_test_sent", SendTestWebhookData>> =>
      send('POST', '/webhook/test', params, options),
    /**
     * Prepares the owner of an e-mail address for identity verification.
     *
     * `POST /kyc/prepare`
     * @throws ApiError with the code `missing_params`, `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `product_disabled`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `verify_quota_exceeded`, `server_failed`, `provider_unavailable`, `provider_timeout`
     */
    prepareKyc: (params: PrepareKycParams, options?: CallOptions): Promise<Answer<"user_already_prepared" | "user_prepared", PrepareKycData>> =>
      send('POST', '/kyc/prepare', params, options),
    /**
     * Sends a one-time code to a prepared e-mail address; earlier codes no longer work.
     *
     * `POST /security/email/send-otp`
     * @throws ApiError with the code `email_already_verified`, `missing_params`, `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `product_disabled`, `user_not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `otp_rate_limited`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    sendEmailOtp: (params: SendEmailOtpParams, options?: CallOptions): Promise<Answer<"otp_sent", SendEmailOtpData>> =>
      send('POST', '/security/email/send-otp', params, options),
    /**
     * Proves an e-mail address by the newest code that was sent to it; five wrong tries end the code.
     *
     * `POST /security/email/verify-otp`
     * @throws ApiError with the code `email_already_verified`, `otp_invalid`, `otp_expired`, `otp_max_attempts`, `missing_params`, `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `product_disabled`, `user_not_found`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    verifyEmailOtp: (params: VerifyEmailOtpParams, options?: CallOptions): Promise<Answer<"email_verified", VerifyEmailOtpData>> =>
      send('POST', '/security/email/verify-otp', params, options),
    /**
     * Where the owner of an e-mail address or a wallet stands.
     *
     * `GET /kyc/status`
     * @throws ApiError with the code `validation_error`, `missing_params`, `unauthorized`, `customer_not_logged`, `permission_denied`, `product_disabled`, `kyc_not_found`, `server_failed`, `provider_unavailable`, `provider_timeout`
     */
    kycStatus: (params: KycStatusParams = {}, options?: CallOptions): Promise<Answer<"kyc_status_retrieved", KycRecordData>> =>
      send('GET', '/kyc/status', params, options),
    /**
     * Gives out a message that proves a wallet once it is signed; it works once, for ten minutes.
     *
     * `POST /security/wallet/challenge`
     * @throws ApiError with the code `invalid_wallet`, `missing_params`, `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `product_disabled`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    createWalletChallenge: (params: CreateWalletChallengeParams, options?: CallOptions): Promise<Answer<"challenge_created", CreateWalletChallengeData>> =>
      send('POST', '/security/wallet/challenge', params, options),
    /**
     * Prepares the owner of a wallet, who has signed a challenge, for identity verification.
     *
     * `POST /kyc/prepare-wallet`
     * @throws ApiError with the code `signature_invalid`, `challenge_invalid`, `challenge_expired`, `missing_params`, `validation_error`, `unauthorized`, `customer_not_logged`, `permission_denied`, `product_disabled`, `email_already_linked`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `verify_quota_exceeded`, `server_failed`, `provider_unavailable`, `provider_timeout`
     */
    prepareWalletKyc: (params: PrepareWalletKycParams, options?: CallOptions): Promise<Answer<"user_already_prepared" | "user_prepared", PrepareWalletKycData>> =>
      send('POST', '/kyc/prepare-wallet', params, options),
    /**
     * Creates the hosted verification session of a proved e-mail address or wallet, or resumes it.
     *
     * `POST /kyc/create/verify_public_kyc`
     * @throws ApiError with the code `missing_params`, `validation_error`, `unauthorized`, `customer_not_logged`, `user_not_prepared`, `identity_not_verified`, `permission_denied`, `product_disabled`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `verify_quota_exceeded`, `server_failed`, `provider_unavailable`, `provider_timeout`
     */
    createKycSession: (params: CreateKycSessionParams, options?: CallOptions): Promise<Answer<"kyc_already_approved" | "kyc_session_created", CreateKycSessionData>> =>
      send('POST', '/kyc/create/verify_public_kyc', params, options),
    /**
     * The lending strategies of all providers.
     *
     * `GET /yield/strategies`
     * @throws ApiError with the code `unauthorized`, `permission_denied`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    yieldStrategies: (params: YieldStrategiesParams = {}, options?: CallOptions): Promise<Answer<"get_yield_strategies_ok", YieldStrategiesData>> =>
      send('GET', '/yield/strategies', params, options),
    /**
     * The lending strategies of one token.
     *
     * `GET /yield/strategies/{symbol}`
     * @throws ApiError with the code `invalid_parameters`, `unauthorized`, `permission_denied`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    yieldStrategiesOfToken: (params: YieldStrategiesOfTokenParams, options?: CallOptions): Promise<Answer<"get_yield_strategies_ok", YieldStrategiesData>> =>
      send('GET', '/yield/strategies/{symbol}', params, options),
    /**
     * Where tokens could earn more, best spread first.
     *
     * `GET /yield/rebalance-opportunities`
     * @throws ApiError with the code `invalid_parameters`, `unauthorized`, `permission_denied`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    rebalanceOpportunities: (params: RebalanceOpportunitiesParams = {}, options?: CallOptions): Promise<Answer<"get_rebalance_opportunities_ok", RebalanceOpportunitiesData>> =>
      send('GET', '/yield/rebalance-opportunities', params, options),
    /**
     * Where tokens could earn more, best spread first.
     *
     * `GET /yield/rebalance-opportunities/{symbol}`
     * @throws ApiError with the code `invalid_parameters`, `unauthorized`, `permission_denied`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    rebalanceOpportunitiesOfToken: (params: RebalanceOpportunitiesOfTokenParams, options?: CallOptions): Promise<Answer<"get_rebalance_opportunities_ok", RebalanceOpportunitiesData>> =>
      send('GET', '/yield/rebalance-opportunities/{symbol}', params, options),
    /**
     * Builds the unsigned transaction that deposits into a strategy.
     *
     * `POST /yield/deposit`
     * @throws ApiError with the code `invalid_parameters`, `strategy_disabled`, `insufficient_position`, `unauthorized`, `permission_denied`, `idempotency_in_progress`, `rebalance_transaction_too_large`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `broadcast_simulation_failed`, `provider_timeout`
     */
    depositYield: (params: DepositYieldParams, options?: CallOptions): Promise<Answer<"deposit_yield_strategy_ok", DepositYieldData>> =>
      send('POST', '/yield/deposit', params, options),
    /**
     * Builds the unsigned transaction that withdraws from a strategy.
     *
     * `POST /yield/withdraw`
     * @throws ApiError with the code `invalid_parameters`, `strategy_disabled`, `insufficient_position`, `unauthorized`, `permission_denied`, `idempotency_in_progress`, `rebalance_transaction_too_large`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `broadcast_simulation_failed`, `provider_timeout`
     */
    withdrawYield: (params: WithdrawYieldParams, options?: CallOptions): Promise<Answer<"withdraw_yield_strategy_ok", WithdrawYieldData>> =>
      send('POST', '/yield/withdraw', params, options),
    /**
     * Builds what moves money from one strategy into another: one transaction, or two.
     *
     * `PATCH /yield/rebalance`
     * @throws ApiError with the code `invalid_parameters`, `strategy_disabled`, `insufficient_position`, `unauthorized`, `permission_denied`, `idempotency_in_progress`, `rebalance_transaction_too_large`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `broadcast_simulation_failed`, `provider_timeout`
     */
    rebalanceYield: (params: RebalanceYieldParams, options?: CallOptions): Promise<Answer<"rebalance_yield_strategy_ok", RebalanceYieldData>> =>
      send('PATCH', '/yield/rebalance', params, options),
    /**
     * Relays one signed transaction, or the two of a rebalance, once, and waits for confirmation.
     *
     * `POST /yield/broadcast`
     * @throws ApiError with the code `invalid_parameters`, `signed_transaction_missing`, `unauthorized`, `permission_denied`, `solana_blockhash_expired`, `idempotency_in_progress`, `payload_too_large`, `unsupported_media_type`, `idempotency_key_reused`, `server_error`, `provider_unavailable`, `broadcast_rejected`, `broadcast_simulation_failed`, `broadcast_rpc_unavailable`, `confirm_transaction_failed`, `confirm_rpc_unavailable`, `provider_timeout`, `broadcast_confirmation_timeout`
     */
    broadcastYield: (params: BroadcastYieldParams, options?: CallOptions): Promise<Answer<"broadcast_operation_yield_strategy_ok", BroadcastYieldData>> =>
      send('POST', '/yield/broadcast', params, options),
    /**
     * What a wallet has in a strategy, live from the chain.
     *
     * `GET /yield/earnings`
     * @throws ApiError with the code `params_mismatch`, `unauthorized`, `permission_denied`, `server_error`, `provider_unavailable`, `provider_timeout`
     */
    yieldEarnings: (params: YieldEarningsParams, options?: CallOptions): Promise<Answer<"get_earnings_position", YieldEarningsData>> =>
      send('GET', '/yield/earnings', params, options),
  }
}
