import type { GraphDocument } from '../graph/document.js'

export const SCOPES = ["payments:read","payments:write","orders:read","orders:write","kyc:read","kyc:write","yield:read","yield:write","webhooks:read","webhooks:write","refunds:write"]

export const EVENT_TYPES = ["payment.registered","payment.pending","payment.success","payment.error","payment.reproved","payment.disputed","refund.created","refund.succeeded","refund.failed","order.created","order.updated","subscription.started","subscription.payment_registered","subscription.renewed","subscription.payment_failed","subscription.past_due","subscription.changed","subscription.paused","subscription.resumed","subscription.canceled","kyc.updated"]

export type AuditActorKind = "PERSON" | "OPERATOR" | "KEY" | "COMMAND_LINE"

export type DifferenceKind = "UNMATCHED_MONEY" | "MISSING_RECEIPT" | "WRONG_AMOUNT" | "UNKNOWN_RECEIPT" | "UNBOOKED_REFUND" | "MISSING_REFUND" | "UNKNOWN_TRANSFER" | "PAID_TWICE" | "HELD_DEPOSIT" | "PAYOUT_MISSING" | "WRONG_FEE" | "WRONG_BALANCE"

export type DifferenceState = "OPEN" | "CLOSED"

export type DisputeStatus = "PENDING" | "TAKEN_BACK" | "WON"

export type EarningsStatus = "OK" | "NO_POSITION" | "PROVIDER_UNAVAILABLE"

export type ErrorCode = "VALIDATION_ERROR" | "INVALID_PARAMETERS" | "MISSING_PARAMS" | "PARAMS_MISMATCH" | "PAIR_NOT_FOUND" | "NOT_FOUND" | "PRODUCT_DISABLED" | "ORDER_NOT_FOUND" | "ORDER_INACTIVE" | "ORDER_LIMIT_REACHED" | "NO_FIELDS_TO_UPDATE" | "SUBSCRIPTION_NOT_FOUND" | "SUBSCRIPTION_CANCELED" | "PAYMENT_NOT_FOUND" | "PAYMENT_ALREADY_PROCESSED" | "PAYMENT_NOT_REFUNDABLE" | "REFUND_EXCEEDS_PAYMENT" | "INSUFFICIENT_REFUND_BALANCE" | "REFUND_NOT_FOUND" | "INVALID_PAYMENT_STATUS" | "MISSING_UNSIGNED_TRANSACTION" | "INVALID_SIGNED_TRANSACTION" | "INVALID_CHAIN" | "STALE_TRANSACTION_NONCE" | "PAYMENT_FAILED" | "KYC_VERIFICATION_REQUIRED" | "KYC_NOT_APPROVED" | "PAYER_DOCUMENT_MISMATCH" | "WALLET_REFUSED" | "PAYMENT_LIMIT_EXCEEDED" | "WEBHOOK_ADDRESS_MISSING" | "WEBHOOK_ENDPOINT_OFF" | "REPLAY_LIMIT_REACHED" | "USER_NOT_FOUND" | "EMAIL_ALREADY_VERIFIED" | "OTP_INVALID" | "OTP_EXPIRED" | "OTP_MAX_ATTEMPTS" | "OTP_RATE_LIMITED" | "KYC_NOT_FOUND" | "IDENTITY_NOT_VERIFIED" | "USER_NOT_PREPARED" | "METHOD_NOT_FOUND" | "VERIFY_QUOTA_EXCEEDED" | "INVALID_WALLET" | "SIGNATURE_INVALID" | "CHALLENGE_INVALID" | "CHALLENGE_EXPIRED" | "EMAIL_ALREADY_LINKED" | "INSUFFICIENT_POSITION" | "STRATEGY_DISABLED" | "SIGNED_TRANSACTION_MISSING" | "REBALANCE_TRANSACTION_TOO_LARGE" | "BROADCAST_REJECTED" | "BROADCAST_SIMULATION_FAILED" | "BROADCAST_RPC_UNAVAILABLE" | "CONFIRM_TRANSACTION_FAILED" | "CONFIRM_RPC_UNAVAILABLE" | "BROADCAST_CONFIRMATION_TIMEOUT" | "SOLANA_BLOCKHASH_EXPIRED" | "PROVIDER_UNAVAILABLE" | "PROVIDER_TIMEOUT"

export type GatewayMethod = "DIRECT" | "SUBS"

export type HoldReason = "DELAY" | "TREASURY_CAP" | "WALLET_REFUSED" | "PARTLY_TAKEN_BACK" | "UNPROVEN" | "CANCELLED" | "REVERTED"

export type InvitationLanguage = "EN" | "PT"

export type KycStatus = "PENDING" | "IN_REVIEW" | "APPROVED" | "DECLINED" | "ABANDONED" | "EXPIRED"

export type MoneyOwner = "OWNER" | "LOSS" | "BANK"

export type OperatorAlertKind = "TREASURY_SHORTAGE" | "PAYOUT_FAILED" | "PAYOUT_STUCK" | "PAYOUT_UNEXPECTED" | "PAYOUT_HELD" | "SCREENING_FAILED" | "OPERATOR_STUCK" | "SPLIT_FAILED" | "FORCED_RETURN" | "CHARGEBACK_WON" | "PAID_TWICE" | "DEPOSIT_UNEXPECTED" | "DEPOSIT_REFUSED" | "DEPOSITS_UNREAD" | "PAYMENT_UNDONE" | "ROUTE_UNPROVED" | "RETURN_REFUSED" | "RETURN_IN_DOUBT" | "PRICE_MOVED" | "RENEWAL_REFUSED" | "CHAIN_MISMATCH" | "GAS_UNKNOWN" | "BOOKS_DIFFER"

export type OperatorAlertState = "OPEN" | "CLOSED"

export type PaymentEventKind = "AMOUNT_MISMATCH" | "ATTEMPT_ENDED" | "CANCELED" | "CARD_TOKEN_INVALID" | "CHARGE_CANCELLED" | "CHARGE_EXPIRED" | "CHARGE_TAKEN_BACK" | "PAYER_MISMATCH" | "PAYMENT_LIMIT_EXCEEDED" | "PROVIDER_FAILED" | "PROVIDER_REJECTED" | "PROVIDER_UNAVAILABLE" | "REFUNDED" | "ROUTE_FAILED" | "ROUTE_PARTIAL" | "ROUTE_REFUNDED" | "TRANSACTION_DROPPED" | "TRANSACTION_REVERTED" | "TRANSFER_MISMATCH" | "UNDERPAID" | "WALLET_REFUSED" | "AUTHENTICATION_FAILED" | "CARD_DECLINED" | "CARD_BLOCKED" | "EXPIRED_CARD" | "INSUFFICIENT_FUNDS" | "INVALID_CARD" | "INVALID_SECURITY_CODE" | "LOST_OR_STOLEN_CARD" | "NOT_PERMITTED" | "SUSPECTED_FRAUD" | "REGISTERED" | "TRANSACTION_CREATED" | "TRANSACTION_SIGNED" | "ADDRESS_OPENED" | "BROADCAST_REFUSED" | "CHARGE_CHANGED" | "CHARGE_PAID" | "CHARGE_REFUSED" | "CHARGE_REPLACED" | "CHARGEBACK_WON" | "DEPOSIT_GIVEN_BACK" | "DEPOSIT_RECEIVED" | "DEPOSIT_REFUSED" | "DEPOSIT_UNDONE" | "OVERPAID" | "PAID_LATE" | "PAID_TWICE" | "PART_RECEIVED" | "PAYER_PAID" | "PROVIDER_FEE" | "RECEIPT_TAKEN_BACK" | "RECEIVERS_PAID" | "REFUND_REQUESTED" | "RETURN_DONE" | "RETURN_PROCESSING" | "RETURN_REFUSED" | "RETURN_REQUESTED" | "UNDERPAYMENT_ACCEPTED" | "OTHER"

export type PaymentFailureReason = "AMOUNT_MISMATCH" | "ATTEMPT_ENDED" | "CANCELED" | "CARD_TOKEN_INVALID" | "CHARGE_CANCELLED" | "CHARGE_EXPIRED" | "CHARGE_TAKEN_BACK" | "PAYER_MISMATCH" | "PAYMENT_LIMIT_EXCEEDED" | "PROVIDER_FAILED" | "PROVIDER_REJECTED" | "PROVIDER_UNAVAILABLE" | "REFUNDED" | "ROUTE_FAILED" | "ROUTE_PARTIAL" | "ROUTE_REFUNDED" | "TRANSACTION_DROPPED" | "TRANSACTION_REVERTED" | "TRANSFER_MISMATCH" | "UNDERPAID" | "WALLET_REFUSED" | "AUTHENTICATION_FAILED" | "CARD_DECLINED" | "CARD_BLOCKED" | "EXPIRED_CARD" | "INSUFFICIENT_FUNDS" | "INVALID_CARD" | "INVALID_SECURITY_CODE" | "LOST_OR_STOLEN_CARD" | "NOT_PERMITTED" | "SUSPECTED_FRAUD" | "OTHER"

export type PaymentReturnReason = "AMOUNT_MISMATCH" | "PAID_LATE" | "PAID_TWICE" | "CHARGE_REPLACED" | "PAYER_MISMATCH" | "OTHER"

export type PaymentReturnStatus = "PENDING" | "SUCCEEDED" | "FAILED"

export type PaymentStatus = "REGISTERED" | "PENDING" | "SUCCESS" | "ERROR" | "REPROVED"

export type PaymentSubscriptionEventKind = "SUBSCRIPTION_STARTED" | "SUBSCRIPTION_PAYMENT_REGISTERED" | "SUBSCRIPTION_RENEWED" | "SUBSCRIPTION_PAYMENT_FAILED" | "SUBSCRIPTION_PAST_DUE" | "SUBSCRIPTION_CHANGED" | "SUBSCRIPTION_PAUSED" | "SUBSCRIPTION_RESUMED" | "SUBSCRIPTION_CANCELED"

export type PayoutAction = "RETRY" | "CANCEL" | "RESOLVE" | "RELEASE"

export type PayoutDecisionState = "PROPOSED" | "ORDERED" | "DONE" | "REFUSED"

export type PayoutState = "WAITING" | "SENDING" | "PAID" | "HELD" | "CANCELED"

export type PayoutWait = "QUEUED" | "PAUSED" | "DELAY" | "FUNDS" | "SCREENING" | "ANOTHER_TRY" | "TREASURY_CAP" | "WALLET_REFUSED" | "PARTLY_TAKEN_BACK" | "UNPROVEN" | "SENDING" | "CANCELLED" | "REVERTED"

export type PersonRole = "OWNER" | "DEVELOPER" | "SUPPORT" | "VIEWER"

export type Product = "CRYPTO" | "PIX" | "CREDIT_CARD" | "KYC"

export type ProviderFailure = "UNAVAILABLE" | "TIMEOUT" | "RATE_LIMITED" | "AUTH" | "PROTOCOL"

export type ProviderState = "ANSWERING" | "FAILING" | "NOT_CALLED"

export type Rail = "CRYPTO" | "PIX" | "CARD"

export type RefundReason = "REQUESTED_BY_CUSTOMER" | "DUPLICATE" | "FRAUDULENT" | "OTHER"

export type RefundStatus = "PENDING" | "SUCCEEDED" | "FAILED"

export type StatementLineKind = "RECEIPT" | "CONVERSION" | "PAYOUT" | "WALLET" | "DISBURSEMENT" | "REFUND" | "REVERSAL" | "WITHHELD" | "RETURN" | "WON" | "PLATFORM_FEE" | "SPREAD" | "GAS" | "RESERVE" | "RESERVE_RELEASED" | "TOPUP" | "RECOVERED" | "DEPOSIT_GIVEN_BACK" | "DEBT_PAID" | "PAID_BY_BANK" | "OTHER"

export type SubscriptionCancelReason = "REQUESTED" | "ORDER_INACTIVE" | "ORDER_NOT_SUBSCRIPTION" | "ORDER_NOT_FOUND"

export type SubscriptionInterval = "WEEKLY" | "MONTHLY" | "YEARLY"

export type SubscriptionStatus = "ACTIVE" | "PAST_DUE" | "PAUSED" | "CANCELED"

export type TransactionType = "CRYPTO" | "PIXCRYPTO" | "FIATCRYPTO" | "CARDCRYPTO" | "CARDFIAT"

export type WebhookAttemptFailure = "ADDRESS_REFUSED" | "LOOKUP_FAILED" | "TIMEOUT" | "TLS_FAILED" | "CONNECTION_FAILED" | "NO_SECRET"

export type WebhookDeliveryEnd = "ENDPOINT_DELETED" | "ENDPOINT_DISABLED"

export type WebhookDeliveryState = "PENDING" | "DELIVERED" | "FAILED"

export type YieldProvider = "ALPHA_LEND" | "BETA"

export interface MutationError {
  code: ErrorCode
  message: string
  path: readonly (string)[] | null
  details?: string | null
}

export interface AcceptUnderpaymentResult {
  acceptUnderpayment: {
    payment: {
      status: PaymentStatus
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type AcceptUnderpaymentVariables = {
  id: string
}

export const acceptUnderpaymentMutation: GraphDocument<AcceptUnderpaymentResult, AcceptUnderpaymentVariables> = {
  id: '1108dbda5877a005569244b2d00bedac051590f2dddaaee7d1a8934f86a78e88',
  right: 'payments:write',
}

export interface AddPasskeyResult {
  addPasskey: {
    passkey: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type AddPasskeyVariables = {
  input: {
    name: string
    credential: unknown
    language?: InvitationLanguage | null | undefined
  }
}

export const addPasskeyMutation: GraphDocument<AddPasskeyResult, AddPasskeyVariables> = {
  id: '195cba31c10cdce12788cb4c119cf8bcaa02ca22f07f9492bb5ccbd6f3c8a953',
  right: 'sessions:own',
}

export interface AlertsResult {
  alerts: {
    edges: readonly ({
      node: {
        id: string
        kind: OperatorAlertKind
        subject: string
        details: string | null
        count: number
        firstAt: string
        lastAt: string
        closedAt: string | null
        closedBy: string | null
        reason: string | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type AlertsVariables = {
  first: number
  after?: string | null | undefined
  state?: OperatorAlertState | null | undefined
}

export const alertsQuery: GraphDocument<AlertsResult, AlertsVariables> = {
  id: '87c1b41c17b591b7d2d57122094d471973252ebfa3b4e666328b341c5a443660',
  right: 'operator',
}

export interface ApiKeysResult {
  apiKeys: readonly ({
    id: string
    name: string
    prefix: string
    scopes: readonly (string)[] | null
    createdAt: string
    expiresAt: string | null
    lastUsedAt: string | null
    revokedAt: string | null
  })[] | null
}

export type ApiKeysVariables = Record<string, never>

export const apiKeysQuery: GraphDocument<ApiKeysResult, ApiKeysVariables> = {
  id: 'f84b5583153e53405b93de3617c0eee757ef49f2fe915582e749e6943a84b6e4',
  right: 'keys:read',
}

export interface AuditLogResult {
  auditLog: {
    edges: readonly ({
      node: {
        id: string
        at: string
        tenantId: string | null
        actorKind: AuditActorKind
        actorId: string
        actorEmail: string | null
        operation: string
        subjects: unknown
        address: string | null
        agent: string | null
        requestId: string
        outcome: string | null
        resultId: string | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type AuditLogVariables = {
  first: number
  after?: string | null | undefined
  filter?: {
    actorId?: string | null | undefined
    operation?: string | null | undefined
    tenantId?: string | null | undefined
    doneFrom?: string | null | undefined
    doneBefore?: string | null | undefined
  } | null | undefined
}

export const auditLogQuery: GraphDocument<AuditLogResult, AuditLogVariables> = {
  id: 'a2410ab46106fce123925fd0ba23fa040e66d1740b71fb43162671bc04d4a698',
  right: 'audit:read',
}

export interface BrandingResult {
  branding: {
    displayName: string | null
    accentColor: string | null
    logo: string | null
    embedOrigins: readonly (string)[]
  } | null
}

export type BrandingVariables = Record<string, never>

export const brandingQuery: GraphDocument<BrandingResult, BrandingVariables> = {
  id: 'b9f26c2d4492885ad7d15b514ccb151b78300e7aeb75a29997ff07998975bd04',
}

export interface CancelPaymentResult {
  cancelPayment: {
    payment: {
      status: PaymentStatus
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type CancelPaymentVariables = {
  id: string
}

export const cancelPaymentMutation: GraphDocument<CancelPaymentResult, CancelPaymentVariables> = {
  id: '934bf395a624b8e5b55f318288e3acee862bd4ee930590266348d4d6a221d1ce',
  right: 'payments:write',
}

export interface CancelPayoutResult {
  cancelPayout: {
    payoutDecision: {
      state: PayoutDecisionState
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type CancelPayoutVariables = {
  subject: string
  reason: string
}

export const cancelPayoutMutation: GraphDocument<CancelPayoutResult, CancelPayoutVariables> = {
  id: 'e1e4cb59b794e10107d4812facb3c6964c7beeb22364418c8c9540943c846b14',
  right: 'operator',
}

export interface CancelSubscriptionResult {
  cancelSubscription: {
    paymentSubscription: {
      status: SubscriptionStatus
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type CancelSubscriptionVariables = {
  id: string
}

export const cancelSubscriptionMutation: GraphDocument<CancelSubscriptionResult, CancelSubscriptionVariables> = {
  id: '94d1921f88f136573a72efed9cc4828fb0fec9663dab0d65cd9ab40c9bc459cf',
  right: 'payments:write',
}

export interface ChangePersonRoleResult {
  changePersonRole: {
    person: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ChangePersonRoleVariables = {
  id: string
  role: PersonRole
  revokeKeys: boolean
}

export const changePersonRoleMutation: GraphDocument<ChangePersonRoleResult, ChangePersonRoleVariables> = {
  id: '04e2bcabd31de9568027e25dcac751a7880d939380075ddbdcf935644052580a',
  right: 'people:write',
}

export interface ChangeTenantProductsResult {
  changeTenantProducts: {
    tenant: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ChangeTenantProductsVariables = {
  id: string
  products: readonly (Product)[]
}

export const changeTenantProductsMutation: GraphDocument<ChangeTenantProductsResult, ChangeTenantProductsVariables> = {
  id: '72207d39e3e480be7de7d10a3903a5887748c7c4e68d34ca75483c28a6d1b8a3',
  right: 'operator',
}

export interface CloseAlertResult {
  closeAlert: {
    operatorAlert: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type CloseAlertVariables = {
  id: string
  reason: string
}

export const closeAlertMutation: GraphDocument<CloseAlertResult, CloseAlertVariables> = {
  id: 'ed3f4afb82f5128de7266ac8c5a2ed85466a01a1f89b70601f4664ff9817e312',
  right: 'operator',
}

export interface CreateApiKeyResult {
  createApiKey: {
    createdApiKey: {
      key: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type CreateApiKeyVariables = {
  input: {
    name: string
    scopes?: readonly (string)[] | null | undefined
    expiresAt?: string | null | undefined
    publicClientId?: string | null | undefined
  }
}

export const createApiKeyMutation: GraphDocument<CreateApiKeyResult, CreateApiKeyVariables> = {
  id: 'a674d6bf5ce32476a2fedfe3dcf4bcaa2b248beb8e6c95e0e57139c15e3e2c90',
  right: 'keys:write',
}

export interface CreateOrderResult {
  createOrder: {
    order: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type CreateOrderVariables = {
  input: {
    executorId: string
    fromCurrencySymbol: string
    amountFrom: string
    toCurrencySymbol: string
    toChain?: string | null | undefined
    onRamp: boolean
    gatewayMethod: GatewayMethod
    paymentMethodAllowed?: {
      crypto?: boolean | null | undefined
      pixcrypto?: boolean | null | undefined
      cardcrypto?: boolean | null | undefined
      cardfiat?: boolean | null | undefined
      cryptofiat?: boolean | null | undefined
      cryptopix?: boolean | null | undefined
    } | null | undefined
    orderItems?: readonly ({
      name: string
      quantity: number
      description?: string | null | undefined
      imageUrl?: string | null | undefined
    })[] | null | undefined
    splitPaymentConfig?: readonly ({
      receiverWallet: string
      receiverPercent: string
      recipientId?: string | null | undefined
      liable?: boolean | null | undefined
      chargeProcessingFee?: boolean | null | undefined
    })[] | null | undefined
    subscriptionPaymentConfig?: {
      planName: string
      interval: SubscriptionInterval
      nextPaymentAt?: string | null | undefined
      charge?: boolean | null | undefined
      retryCount?: number | null | undefined
    } | null | undefined
    tenantData?: {
      publicClientId: string
      webhookUrl: string
    } | null | undefined
    successUrl?: string | null | undefined
    cancelUrl?: string | null | undefined
  }
}

export const createOrderMutation: GraphDocument<CreateOrderResult, CreateOrderVariables> = {
  id: 'ec1c7ed8ffebc71cecc4c3382f5a696d5fdac571991050df8bb5bb55f417830b',
  right: 'orders:write',
}

export interface CreateWebhookEndpointResult {
  createWebhookEndpoint: {
    createdWebhookEndpoint: {
      secret: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type CreateWebhookEndpointVariables = {
  input: {
    url: string
    events?: readonly (string)[] | null | undefined
    description?: string | null | undefined
  }
}

export const createWebhookEndpointMutation: GraphDocument<CreateWebhookEndpointResult, CreateWebhookEndpointVariables> = {
  id: '8074ddfe8bf1ab48f6730df1c42c7d1faf9f0f17db273c292e75ad15c63ea404',
  right: 'endpoints:write',
}

export interface DeleteWebhookEndpointResult {
  deleteWebhookEndpoint: {
    webhookEndpoint: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type DeleteWebhookEndpointVariables = {
  id: string
}

export const deleteWebhookEndpointMutation: GraphDocument<DeleteWebhookEndpointResult, DeleteWebhookEndpointVariables> = {
  id: '0d43cc38a3e3b2c199a3a0ba9edc8c8048a90a1d5de9afdd08263c1ddca7fc52',
  right: 'endpoints:write',
}

export interface DeliveriesResult {
  webhookDeliveries: {
    edges: readonly ({
      node: {
        id: string
        type: string
        url: string
        state: WebhookDeliveryState
        resourceId: string
        endpointId: string | null
        endpoint: {
          description: string | null
        } | null
        endedBecause: WebhookDeliveryEnd | null
        createdAt: string
        nextAttemptAt: string | null
        attemptCount: number
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type DeliveriesVariables = {
  first: number
  after?: string | null | undefined
  resourceId?: string | null | undefined
  state?: WebhookDeliveryState | null | undefined
  endpointId?: string | null | undefined
}

export const deliveriesQuery: GraphDocument<DeliveriesResult, DeliveriesVariables> = {
  id: '3846e1d6700a787b41cd85c123a762f07c0943cbae0cb891037541889d00545a',
  right: 'webhooks:read',
}

export interface DeliveryResult {
  webhookDelivery: {
    id: string
    state: WebhookDeliveryState
    nextAttemptAt: string | null
    body: unknown | null
    attempts: readonly ({
      number: number
      attemptedAt: string
      httpStatus: number | null
      failure: WebhookAttemptFailure | null
      durationMs: number
      responseBody: string | null
    })[]
  } | null
}

export type DeliveryVariables = {
  id: string
}

export const deliveryQuery: GraphDocument<DeliveryResult, DeliveryVariables> = {
  id: 'f51be35d68a35136844ddbb5bf453385da2fa042191d0bbd7fc9426c969615fc',
  right: 'webhooks:read',
}

export interface DifferencesResult {
  reconciliationDifferences: {
    edges: readonly ({
      node: {
        id: string
        kind: DifferenceKind
        subject: string
        expected: string | null
        actual: string | null
        currency: string | null
        details: string | null
        foundAt: string
        closedAt: string | null
        reason: string | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type DifferencesVariables = {
  first: number
  after?: string | null | undefined
  state?: DifferenceState | null | undefined
}

export const differencesQuery: GraphDocument<DifferencesResult, DifferencesVariables> = {
  id: '02ed0b98c975d6ff44bebb7d2f6c8ec832128c9439657193f39df052677aad43',
  right: 'operator',
}

export interface DisableTenantResult {
  disableTenant: {
    tenant: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type DisableTenantVariables = {
  id: string
}

export const disableTenantMutation: GraphDocument<DisableTenantResult, DisableTenantVariables> = {
  id: 'cf0f91e4120eef935c55e51e49ad6eab47c1f9247b11581bfd84fa23f7d6af70',
  right: 'operator',
}

export interface DisputesResult {
  disputes: {
    edges: readonly ({
      node: {
        id: string
        paymentId: string
        amount: string
        currency: string
        status: DisputeStatus
        reason: string
        createdAt: string
        payment: {
          amountFrom: string
          fromCurrencySymbol: string
          payerEmail: string | null
          transactionType: TransactionType | null
        } | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type DisputesVariables = {
  first: number
  after?: string | null | undefined
}

export const disputesQuery: GraphDocument<DisputesResult, DisputesVariables> = {
  id: '692d8d2a3afd7add9477de5f4485ab6125d8322ff6bce40504f34e11fe0a6bb3',
  right: 'payments:read',
}

export interface EnableTenantResult {
  enableTenant: {
    tenant: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type EnableTenantVariables = {
  id: string
}

export const enableTenantMutation: GraphDocument<EnableTenantResult, EnableTenantVariables> = {
  id: '512a9136794a5870a891c317802c57bf2e0adea87150c9f0b5e5d53817b15f0f',
  right: 'operator',
}

export interface EndpointsResult {
  account: {
    id: string
    integrations: readonly ({
      publicClientId: string
      webhookUrl: string | null
      isDefault: boolean
      previousUntil: string | null
    })[]
  } | null
}

export type EndpointsVariables = Record<string, never>

export const endpointsQuery: GraphDocument<EndpointsResult, EndpointsVariables> = {
  id: '3739cb708157c1af2bb5096878f5a62ee93bb9890e63d64f895503b6540b8709',
}

export interface EndSessionResult {
  endSession: {
    session: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type EndSessionVariables = {
  id: string
}

export const endSessionMutation: GraphDocument<EndSessionResult, EndSessionVariables> = {
  id: '433a41e055e7826513c3082266dd910abb02ad5e59b64cda587b799a0d138509',
  right: 'sessions:own',
}

export interface GiveBackUnderpaymentResult {
  giveBackUnderpayment: {
    payment: {
      status: PaymentStatus
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type GiveBackUnderpaymentVariables = {
  input: {
    paymentId: string
    wallet: string
  }
}

export const giveBackUnderpaymentMutation: GraphDocument<GiveBackUnderpaymentResult, GiveBackUnderpaymentVariables> = {
  id: 'af3812255049a4eac7576ee44550bee6b257ef021c4efa3fda22b79f2496af3d',
  right: 'refunds:write',
}

export interface InvitePersonResult {
  invitePerson: {
    person: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type InvitePersonVariables = {
  input: {
    email: string
    role: PersonRole
    language?: InvitationLanguage | null | undefined
  }
}

export const invitePersonMutation: GraphDocument<InvitePersonResult, InvitePersonVariables> = {
  id: '746f040d127b55edf625626f752d1d58e369fbadf02b30c0df262a7d33bef558',
  right: 'people:write',
}

export interface OperatingResult {
  jobs: readonly ({
    name: string
    due: number
    failed: number
    oldestDueAt: string | null
  })[] | null
  reconciliations: readonly ({
    scope: string
    begunAt: string
    endedAt: string | null
    skipped: string | null
  })[] | null
}

export type OperatingVariables = Record<string, never>

export const operatingQuery: GraphDocument<OperatingResult, OperatingVariables> = {
  id: '80a78c274609fddaa8ea1a4e9bf8781507917e28f7c60d24fd52e7dcba0b60c4',
  right: 'operator',
}

export interface OrderChoicesResult {
  configuration: {
    chains: readonly ({
      name: string
      nativeCoin: {
        symbol: string
      }
      tokens: readonly ({
        symbol: string
      })[]
    })[]
  } | null
}

export type OrderChoicesVariables = Record<string, never>

export const orderChoicesQuery: GraphDocument<OrderChoicesResult, OrderChoicesVariables> = {
  id: '7432c37cf9bfc88683f2d15b3262b4e6205739be3602461d85c4b61ea0eb8be6',
}

export interface OrdersResult {
  orders: {
    edges: readonly ({
      node: {
        id: string
        active: boolean
        amountFrom: string
        fromCurrencySymbol: string
        toCurrencySymbol: string
        toChain: string | null
        createdAt: string
        orderItems: readonly ({
          name: string
          quantity: number
        })[]
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type OrdersVariables = {
  first: number
  after?: string | null | undefined
  filter?: {
    gatewayMethod?: GatewayMethod | null | undefined
    onRamp?: boolean | null | undefined
    active?: boolean | null | undefined
  } | null | undefined
}

export const ordersQuery: GraphDocument<OrdersResult, OrdersVariables> = {
  id: '2d89b8a517422b0a8aefbe007f2834c75da911318abc0779f17932846ca16b8f',
  right: 'orders:read',
}

export interface PasskeysResult {
  passkeys: readonly ({
    id: string
    name: string
    createdAt: string
    lastUsedAt: string | null
  })[] | null
}

export type PasskeysVariables = Record<string, never>

export const passkeysQuery: GraphDocument<PasskeysResult, PasskeysVariables> = {
  id: '4505c873ab5228d4210943519d46d67197ba4c14a797ae79ded404efb50e94ea',
  right: 'sessions:own',
}

export interface PausePayoutsResult {
  pausePayouts: {
    pausedPayouts: {
      pauses: readonly ({
        since: string
      })[]
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type PausePayoutsVariables = {
  chainName?: string | null | undefined
  tenantId?: string | null | undefined
  reason: string
}

export const pausePayoutsMutation: GraphDocument<PausePayoutsResult, PausePayoutsVariables> = {
  id: '45448dd33493893c595743a87459b0320bae8a4c873df255f99f31597fe10f83',
  right: 'operator',
}

export interface PauseSubscriptionResult {
  pauseSubscription: {
    paymentSubscription: {
      status: SubscriptionStatus
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type PauseSubscriptionVariables = {
  id: string
}

export const pauseSubscriptionMutation: GraphDocument<PauseSubscriptionResult, PauseSubscriptionVariables> = {
  id: '50532c507cdddf1c549bdd9238079d2eaff2742a8f4d70b9c5e376e6fc3cff66',
  right: 'payments:write',
}

export interface PaymentResult {
  payment: {
    id: string
    status: PaymentStatus
    sequence: number
    createdAt: string
    transactionType: TransactionType | null
    amountFrom: string
    fromCurrencySymbol: string
    amountTo: string | null
    toCurrencySymbol: string
    toChain: string | null
    chainName: string | null
    payerEmail: string | null
    payerWallet: string | null
    transactionHash: string | null
    orderCode: string | null
    payerCharge: {
      amount: string
      currency: string
      isEstimate: boolean
    } | null
    refundedAmount: string
    refundedCurrency: string | null
    refundableAmount: string | null
    receiversAmount: string | null
    settledAmount: string | null
    settledCurrency: string | null
    receivedAmount: string
    overpaidAmount: string
    late: boolean
    sessionPayment: string
    dataError: {
      reason: PaymentFailureReason
      message: string
    } | null
    splitPaymentConfig: readonly ({
      receiverWallet: string
      receiverPercent: string
      recipientId: string | null
    })[]
    instantTransfer: {
      txid: string
      pixCopiaECola: string
    } | null
    payouts: readonly ({
      splitIndex: number
      amount: string
      takenBackAmount: string
      symbol: string
      state: PayoutState
      reason: HoldReason | null
      until: string | null
      transactionHash: string | null
      transactionUrl: string | null
      paidAt: string | null
    })[] | null
    quote: {
      rate: string
      source: string
    } | null
    fees: {
      currency: string
      platform: string
      spread: string
      provider: string | null
    } | null
    refunds: readonly ({
      id: string
      amount: string
      currency: string
      status: RefundStatus
      reason: RefundReason | null
      isMadeAtProvider: boolean
      createdAt: string
    })[] | null
    disputes: readonly ({
      id: string
      amount: string
      currency: string
      status: DisputeStatus
      reason: string
      createdAt: string
    })[] | null
    returns: readonly ({
      amount: string
      currency: string
      reason: PaymentReturnReason
      status: PaymentReturnStatus
    })[] | null
    events: {
      edges: readonly ({
        node: {
          sequence: number
          status: PaymentStatus
          kind: PaymentEventKind
          amount: string | null
          currency: string | null
          createdAt: string
        }
      })[]
    } | null
  } | null
}

export type PaymentVariables = {
  id: string
}

export const paymentQuery: GraphDocument<PaymentResult, PaymentVariables> = {
  id: '3f8d21ec87900cb00347e47bb2d97fdb3ada3bbceb602db8b16399440a860386',
  right: 'payments:read',
}

export interface PaymentReturnsResult {
  paymentReturns: {
    edges: readonly ({
      node: {
        id: string
        paymentId: string
        amount: string
        currency: string
        status: PaymentReturnStatus
        reason: PaymentReturnReason
        createdAt: string
        payment: {
          amountFrom: string
          fromCurrencySymbol: string
          payerEmail: string | null
          transactionType: TransactionType | null
        } | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type PaymentReturnsVariables = {
  first: number
  after?: string | null | undefined
}

export const paymentReturnsQuery: GraphDocument<PaymentReturnsResult, PaymentReturnsVariables> = {
  id: '19bef07d4b880232a106e4522ae6ddfc6697563c140f72194a0c7318d57ab331',
  right: 'payments:read',
}

export interface PaymentsResult {
  payments: {
    edges: readonly ({
      node: {
        id: string
        status: PaymentStatus
        amountFrom: string
        fromCurrencySymbol: string
        amountTo: string | null
        toCurrencySymbol: string
        transactionType: TransactionType | null
        payerEmail: string | null
        payerWallet: string | null
        receiversAmount: string | null
        settledAmount: string | null
        settledCurrency: string | null
        refundedAmount: string
        refundedCurrency: string | null
        createdAt: string
        dataError: {
          reason: PaymentFailureReason
        } | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type PaymentsVariables = {
  first: number
  after?: string | null | undefined
  filter?: {
    status?: PaymentStatus | null | undefined
    transactionType?: TransactionType | null | undefined
    transactionTypes?: readonly (TransactionType)[] | null | undefined
    payerEmail?: string | null | undefined
    search?: string | null | undefined
    createdFrom?: string | null | undefined
    createdBefore?: string | null | undefined
    statuses?: readonly (PaymentStatus)[] | null | undefined
    amount?: {
      currency: string
      atLeast?: string | null | undefined
      atMost?: string | null | undefined
    } | null | undefined
    metadata?: {
      key: string
      value: string
    } | null | undefined
    orderCode?: string | null | undefined
  } | null | undefined
}

export const paymentsQuery: GraphDocument<PaymentsResult, PaymentsVariables> = {
  id: '06ad229933bbc615c82fde60bb57467c7edbdf66a933b7fc9a96821de780c587',
  right: 'payments:read',
}

export interface PaymentSummaryResult {
  paymentSummary: {
    counted: number
    days: readonly ({
      day: string
      currency: string
      registered: number
      paid: number
      sum: string
    })[]
    returned: readonly ({
      currency: string
      refunded: string
      disputed: string
    })[]
    methods: readonly ({
      transactionType: TransactionType
      begun: number
      paid: number
    })[]
    failures: readonly ({
      reason: PaymentFailureReason
      count: number
    })[]
    medianSettleSeconds: number | null
    slowSettleSeconds: number | null
  } | null
}

export type PaymentSummaryVariables = {
  from: string
  to?: string | null | undefined
}

export const paymentSummaryQuery: GraphDocument<PaymentSummaryResult, PaymentSummaryVariables> = {
  id: 'fb1d2ca61cda83ee05a6d0daf282a58a97d012f8ad9045c1b5d5b7c06a266bb6',
  right: 'payments:read',
}

export interface PaymentsUpdatedResult {
  paymentsUpdated: {
    id: string
  } | null
}

export type PaymentsUpdatedVariables = Record<string, never>

export const paymentsUpdatedSubscription: GraphDocument<PaymentsUpdatedResult, PaymentsUpdatedVariables> = {
  id: '6126da55662e0af71031a5ca0d6039b6c1bcc45d8235ac49013f6e1f26403e63',
  right: 'payments:read',
}

export interface PayoutDecisionsResult {
  payoutDecisions: {
    edges: readonly ({
      node: {
        id: string
        batchId: string
        action: PayoutAction
        state: PayoutDecisionState
        reason: string | null
        orderedBy: string | null
        orderedAt: string | null
        proposedBy: string | null
        result: string | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type PayoutDecisionsVariables = {
  first: number
  after?: string | null | undefined
}

export const payoutDecisionsQuery: GraphDocument<PayoutDecisionsResult, PayoutDecisionsVariables> = {
  id: '4ce8e8be25085ae1d841f93f9ee191727952fb023f16c18564ceb83f55101450',
  right: 'operator',
}

export interface PayoutProposalsResult {
  payoutProposals: readonly ({
    id: string
    batchId: string
    action: PayoutAction
    reason: string | null
    proposedBy: string | null
  })[] | null
}

export type PayoutProposalsVariables = Record<string, never>

export const payoutProposalsQuery: GraphDocument<PayoutProposalsResult, PayoutProposalsVariables> = {
  id: 'cea38dfcde3787aede48e26db3bc5fb19e438fe9b49ab81ceae357f74d12a143',
  right: 'operator',
}

export interface PeopleResult {
  people: readonly ({
    id: string
    email: string
    role: PersonRole
    createdAt: string
    joinedAt: string | null
    invitationExpiresAt: string | null
    apiKeyCount: number
  })[] | null
}

export type PeopleVariables = Record<string, never>

export const peopleQuery: GraphDocument<PeopleResult, PeopleVariables> = {
  id: '03675a6a1977e758b2d85f5a47397b20a28243e2c7cec4fda8278df722c1b58e',
  right: 'people:read',
}

export interface ProviderHealthResult {
  providerHealth: readonly ({
    provider: string
    chain: string | null
    host: string | null
    state: ProviderState
    since: string | null
    lastFailureAt: string | null
    lastFailure: ProviderFailure | null
    last5Minutes: {
      calls: number
      failures: number
      medianMs: number | null
      slowestMs: number | null
    }
    last60Minutes: {
      calls: number
      failures: number
      medianMs: number | null
      slowestMs: number | null
    }
  })[] | null
}

export type ProviderHealthVariables = Record<string, never>

export const providerHealthQuery: GraphDocument<ProviderHealthResult, ProviderHealthVariables> = {
  id: '2b1d9a294dd5a488ee980e2fcf20a2f4c97663709dc1d1ab470e4af5e949eebd',
  right: 'operator',
}

export interface RefundPaymentResult {
  refundPayment: {
    refund: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RefundPaymentVariables = {
  id: string
  input?: {
    amount?: string | null | undefined
    reason?: RefundReason | null | undefined
  } | null | undefined
}

export const refundPaymentMutation: GraphDocument<RefundPaymentResult, RefundPaymentVariables> = {
  id: '27eb8e0ed3d4502c71d14fb5fd8d5378d2405d6b258960cb1609f97b1aded621',
  right: 'refunds:write',
}

export interface RefundsResult {
  refunds: {
    edges: readonly ({
      node: {
        id: string
        paymentId: string
        amount: string
        currency: string
        status: RefundStatus
        reason: RefundReason | null
        isMadeAtProvider: boolean
        createdAt: string
        payment: {
          amountFrom: string
          fromCurrencySymbol: string
          payerEmail: string | null
          transactionType: TransactionType | null
        } | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type RefundsVariables = {
  first: number
  after?: string | null | undefined
}

export const refundsQuery: GraphDocument<RefundsResult, RefundsVariables> = {
  id: '76e9873d37f4ffa0f521ecf41967d5069606d077b3e083d712e081a72214ba6b',
  right: 'payments:read',
}

export interface RegisterCheckoutPaymentResult {
  registerCheckoutPayment: {
    payment: {
      sessionPayment: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RegisterCheckoutPaymentVariables = {
  input: {
    orderCode: string
    tenantData?: {
      publicClientId: string
      webhookUrl: string
    } | null | undefined
    metadata?: unknown | null | undefined
    successUrl?: string | null | undefined
    cancelUrl?: string | null | undefined
  }
}

export const registerCheckoutPaymentMutation: GraphDocument<RegisterCheckoutPaymentResult, RegisterCheckoutPaymentVariables> = {
  id: 'ae367033d275e2e607de884ae3113073bcdbc7d453f396c77df80d14ecbb5ed4',
  right: 'payments:write',
}

export interface ReleasePayoutsResult {
  releasePayouts: {
    payoutDecision: {
      state: PayoutDecisionState
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ReleasePayoutsVariables = {
  subject: string
  reason: string
}

export const releasePayoutsMutation: GraphDocument<ReleasePayoutsResult, ReleasePayoutsVariables> = {
  id: '212d544032a92d65201d956cf8e96c5d39bc756dd655c3b0305bccc60ca43c10',
  right: 'operator',
}

export interface RemovePasskeyResult {
  removePasskey: {
    passkey: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RemovePasskeyVariables = {
  id: string
  language?: InvitationLanguage | null | undefined
}

export const removePasskeyMutation: GraphDocument<RemovePasskeyResult, RemovePasskeyVariables> = {
  id: 'c42e9c58fc454b60d012339993b253609b438b681b0d8acc14af9c6811a6aee8',
  right: 'sessions:own',
}

export interface RemovePersonResult {
  removePerson: {
    person: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RemovePersonVariables = {
  id: string
  revokeKeys: boolean
}

export const removePersonMutation: GraphDocument<RemovePersonResult, RemovePersonVariables> = {
  id: 'd53dcc5db2bf2f4a663685734ceeef7ff33fad290c39f90041dfafd9be053f20',
  right: 'people:write',
}

export interface RenamePasskeyResult {
  renamePasskey: {
    passkey: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RenamePasskeyVariables = {
  id: string
  name: string
}

export const renamePasskeyMutation: GraphDocument<RenamePasskeyResult, RenamePasskeyVariables> = {
  id: '9f4073ce4cd9307527eabd011062cbd1934cf9b5e80e6ea327879750ab45a8b4',
  right: 'sessions:own',
}

export interface ReplayDeliveryResult {
  replayWebhookDelivery: {
    webhookDelivery: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ReplayDeliveryVariables = {
  id: string
}

export const replayDeliveryMutation: GraphDocument<ReplayDeliveryResult, ReplayDeliveryVariables> = {
  id: '7e065e2cf8285f86f138d05b3c9d97d554f5b9e84201ae4a3a43c00da5ac0625',
  right: 'webhooks:replay',
}

export interface ResendInvitationResult {
  resendInvitation: {
    person: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ResendInvitationVariables = {
  id: string
  language?: InvitationLanguage | null | undefined
}

export const resendInvitationMutation: GraphDocument<ResendInvitationResult, ResendInvitationVariables> = {
  id: '4e2da0c48c5ff5e00d2900e6b73a4893eaf00227ec4210214ad05d89c0c2c740',
  right: 'people:write',
}

export interface ResolveDifferenceResult {
  resolveDifference: {
    differenceResolution: {
      entry: string | null
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ResolveDifferenceVariables = {
  id: string
  reason: string
  as?: MoneyOwner | null | undefined
}

export const resolveDifferenceMutation: GraphDocument<ResolveDifferenceResult, ResolveDifferenceVariables> = {
  id: '7d698e4034e94456d47016713be361c70e9a5319945c8c68e53cdc169f5460b8',
  right: 'operator',
}

export interface ResolvePayoutResult {
  resolvePayout: {
    payoutDecision: {
      state: PayoutDecisionState
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ResolvePayoutVariables = {
  subject: string
  reason: string
}

export const resolvePayoutMutation: GraphDocument<ResolvePayoutResult, ResolvePayoutVariables> = {
  id: 'c84ba156f422ac909f93481ed0d505bc157db0d5d95eeabfa3bf82f6c3a5be52',
  right: 'operator',
}

export interface ResumePayoutsResult {
  resumePayouts: {
    pausedPayouts: {
      pauses: readonly ({
        since: string
      })[]
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ResumePayoutsVariables = {
  chainName?: string | null | undefined
  tenantId?: string | null | undefined
}

export const resumePayoutsMutation: GraphDocument<ResumePayoutsResult, ResumePayoutsVariables> = {
  id: 'c1db883e32c80bb787f7c001fe7c609cab5b72a662f812a1ce805b7900210301',
  right: 'operator',
}

export interface ResumeSubscriptionResult {
  resumeSubscription: {
    paymentSubscription: {
      status: SubscriptionStatus
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type ResumeSubscriptionVariables = {
  id: string
}

export const resumeSubscriptionMutation: GraphDocument<ResumeSubscriptionResult, ResumeSubscriptionVariables> = {
  id: '37310fb165abd47aeca0b273ea7979eef770f3234131b27453cdbbdd973031a9',
  right: 'payments:write',
}

export interface RetryPayoutResult {
  retryPayout: {
    payoutDecision: {
      state: PayoutDecisionState
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RetryPayoutVariables = {
  subject: string
  reason: string
}

export const retryPayoutMutation: GraphDocument<RetryPayoutResult, RetryPayoutVariables> = {
  id: '6f333099a04daab6c895849fcd5b45d2a5b0ef8a259660b6cac11c99fb4989ad',
  right: 'operator',
}

export interface RevokeApiKeyResult {
  revokeApiKey: {
    apiKey: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RevokeApiKeyVariables = {
  id: string
}

export const revokeApiKeyMutation: GraphDocument<RevokeApiKeyResult, RevokeApiKeyVariables> = {
  id: '890d7be9dab0dbdafc40ef4acd8012eff59852aa83d66e2a14e24e600fe5cae1',
  right: 'keys:write',
}

export interface RotateWebhookEndpointSecretResult {
  rotateWebhookEndpointSecret: {
    rotatedWebhookSecret: {
      secret: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RotateWebhookEndpointSecretVariables = {
  id: string
  overlapHours?: number | null | undefined
}

export const rotateWebhookEndpointSecretMutation: GraphDocument<RotateWebhookEndpointSecretResult, RotateWebhookEndpointSecretVariables> = {
  id: '2241312e7bc32cbace25d20c0023ec5a126db2ca325e7d530ec0acab1efb6a3a',
  right: 'endpoints:write',
}

export interface RotateWebhookSecretResult {
  rotateWebhookSecret: {
    rotatedWebhookSecret: {
      secret: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type RotateWebhookSecretVariables = {
  publicClientId: string
  overlapHours?: number | null | undefined
}

export const rotateWebhookSecretMutation: GraphDocument<RotateWebhookSecretResult, RotateWebhookSecretVariables> = {
  id: '0c4ccfe2abc36d04b9c58e3fe7acca2151162276f3d2f2127ec7544d8e69e0f7',
  right: 'endpoints:write',
}

export interface SendTestWebhookResult {
  sendTestWebhook: {
    webhookDelivery: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type SendTestWebhookVariables = {
  input: {
    type: string
    publicClientId?: string | null | undefined
    endpointId?: string | null | undefined
  }
}

export const sendTestWebhookMutation: GraphDocument<SendTestWebhookResult, SendTestWebhookVariables> = {
  id: '4e594c8fd1af782aeb955d2f45a793e63d335917785a1136c0ad16beb49cc5aa',
  right: 'webhooks:write',
}

export interface SessionsResult {
  sessions: readonly ({
    id: string
    isCurrent: boolean
    address: string
    agent: string
    createdAt: string
    lastUsedAt: string
  })[] | null
}

export type SessionsVariables = Record<string, never>

export const sessionsQuery: GraphDocument<SessionsResult, SessionsVariables> = {
  id: '24bcb1773e5c2271c5b95b0198e1f80ce9b403bbcc480dae381977469c91b7f0',
  right: 'sessions:own',
}

export interface SetPayoutDelayResult {
  setPayoutDelay: {
    tenantTerms: {
      tenantId: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type SetPayoutDelayVariables = {
  tenantId: string
  rail: Rail
  hours: number
}

export const setPayoutDelayMutation: GraphDocument<SetPayoutDelayResult, SetPayoutDelayVariables> = {
  id: '8f09bd4e7a956de132b1e730db4032ba71a921e0043ead0fa02e77658b1bf2ac',
  right: 'operator',
}

export interface SetTenantFeesResult {
  setTenantFees: {
    tenantTerms: {
      tenantId: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type SetTenantFeesVariables = {
  input: {
    tenantId: string
    rail: Rail
    percent: string
    fixed: string
    spreadPercent: string
  }
}

export const setTenantFeesMutation: GraphDocument<SetTenantFeesResult, SetTenantFeesVariables> = {
  id: 'f68a0aeb4a9e5b6faa6ba0458277ae15fc2e16b54977ba3e71198e40d9c9e6c2',
  right: 'operator',
}

export interface SetTenantLimitsResult {
  setTenantLimits: {
    tenantTerms: {
      tenantId: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type SetTenantLimitsVariables = {
  input: {
    tenantId: string
    currency: string
    perPayment?: string | null | undefined
    perPayerDay?: string | null | undefined
    perTenantDay?: string | null | undefined
  }
}

export const setTenantLimitsMutation: GraphDocument<SetTenantLimitsResult, SetTenantLimitsVariables> = {
  id: '639e4be5385cf6f7aa9ab3535a029e8243211f05bc5a400eb499b69a6cde9e3a',
  right: 'operator',
}

export interface SettingsResult {
  account: {
    id: string
    name: string
    createdAt: string
    products: {
      crypto: boolean
      pix: boolean
      creditCard: boolean
      kyc: boolean
    }
  } | null
  underpaymentTolerance: string | null
}

export type SettingsVariables = Record<string, never>

export const settingsQuery: GraphDocument<SettingsResult, SettingsVariables> = {
  id: 'fb1894db02fbe6fa12bb94e11a245330e86b4a079a8227b342d277b5ef28ab7e',
  right: 'payments:read',
}

export interface SetToleranceResult {
  setUnderpaymentTolerance: {
    decimal: string | null
    errors: readonly (MutationError)[]
  } | null
}

export type SetToleranceVariables = {
  percent: string
}

export const setToleranceMutation: GraphDocument<SetToleranceResult, SetToleranceVariables> = {
  id: 'fe8c8abe418fec2dbfcb65c88270e77cbac9414b85a8208ee216faf519c11117',
  right: 'payments:write',
}

export interface SetWebhookAddressResult {
  setWebhookAddress: {
    integration: {
      webhookUrl: string | null
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type SetWebhookAddressVariables = {
  publicClientId: string
  url?: string | null | undefined
}

export const setWebhookAddressMutation: GraphDocument<SetWebhookAddressResult, SetWebhookAddressVariables> = {
  id: '2b28cfec1bc2ce398107969b0f7e187f6295de116f7f69195a27a41960b63bfb',
  right: 'endpoints:write',
}

export interface StartPasskeyResult {
  startPasskey: {
    passkeyCreation: {
      options: unknown
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type StartPasskeyVariables = Record<string, never>

export const startPasskeyMutation: GraphDocument<StartPasskeyResult, StartPasskeyVariables> = {
  id: 'dab65c42a598724cfff46dea8bff300c740477dfdbddb4899193e291e131e71c',
  right: 'sessions:own',
}

export interface StatementResult {
  statement: {
    openingBalances: readonly ({
      account: string
      currency: string
      balance: string
    })[]
    closingBalances: readonly ({
      account: string
      currency: string
      balance: string
    })[]
    edges: readonly ({
      node: {
        at: string
        kind: StatementLineKind
        entry: string
        paymentId: string | null
        orderCode: string | null
        rail: Rail | null
        receiver: string | null
        transactionHash: string | null
        account: string
        currency: string
        amount: string
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type StatementVariables = {
  from: string
  to?: string | null | undefined
  first: number
  after?: string | null | undefined
}

export const statementQuery: GraphDocument<StatementResult, StatementVariables> = {
  id: '24b0237422eb49c9858532ce5e22f4e59e910e8135f2255f9149973b46c3209b',
  right: 'payments:read',
}

export interface SubscriptionResult {
  paymentSubscription: {
    id: string
    status: SubscriptionStatus
    planName: string
    interval: SubscriptionInterval
    amountFrom: string | null
    awaitsConsent: boolean
    emailsStoppedAt: string | null
    trialEndsAt: string | null
    firstPayment: {
      fromCurrencySymbol: string
    } | null
    charge: boolean
    hasCardOnFile: boolean | null
    orderCode: string | null
    retryCount: number
    refusals: number
    skippedPeriods: number
    dueAt: string | null
    nextAttemptAt: string | null
    nextPaymentAt: string | null
    cancelReason: SubscriptionCancelReason | null
    createdAt: string
    events: {
      edges: readonly ({
        node: {
          sequence: number
          kind: PaymentSubscriptionEventKind
          createdAt: string
        }
      })[]
    } | null
    payments: {
      edges: readonly ({
        node: {
          id: string
          status: PaymentStatus
          amountFrom: string
          fromCurrencySymbol: string
          amountTo: string | null
          toCurrencySymbol: string
          transactionType: TransactionType | null
          payerEmail: string | null
          payerWallet: string | null
          receiversAmount: string | null
          settledAmount: string | null
          settledCurrency: string | null
          refundedAmount: string
          refundedCurrency: string | null
          createdAt: string
          dataError: {
            reason: PaymentFailureReason
          } | null
        }
      })[]
      pageInfo: {
        hasNextPage: boolean
        endCursor: string | null
      }
    } | null
  } | null
}

export type SubscriptionVariables = {
  id: string
  first: number
  after?: string | null | undefined
}

export const subscriptionQuery: GraphDocument<SubscriptionResult, SubscriptionVariables> = {
  id: '4f3f6dbb0abc6b2240ef4dd6ea5dd1c1f8892309054f690ff06807187b4a1a0c',
  right: 'payments:read',
}

export interface SubscriptionsResult {
  paymentSubscriptions: {
    edges: readonly ({
      node: {
        id: string
        status: SubscriptionStatus
        planName: string
        interval: SubscriptionInterval
        charge: boolean
        nextPaymentAt: string | null
        createdAt: string
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type SubscriptionsVariables = {
  first: number
  after?: string | null | undefined
  filter?: {
    status?: SubscriptionStatus | null | undefined
    orderCode?: string | null | undefined
  } | null | undefined
}

export const subscriptionsQuery: GraphDocument<SubscriptionsResult, SubscriptionsVariables> = {
  id: '27bf4a58f27e8b491f3757c19cf0899f75893cf0d1e260bc6aa42cf76db3156f',
  right: 'payments:read',
}

export interface TenantsResult {
  tenants: {
    edges: readonly ({
      node: {
        id: string
        name: string
        products: readonly (Product)[]
        fiats: readonly (string)[] | null
        createdAt: string
        disabledAt: string | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type TenantsVariables = {
  first: number
  after?: string | null | undefined
  search?: string | null | undefined
}

export const tenantsQuery: GraphDocument<TenantsResult, TenantsVariables> = {
  id: '7745692ffe88ffb8b1ca4fb791ca3c7cb93c10f0739194e820df6962204968c1',
  right: 'operator',
}

export interface TenantTermsResult {
  tenants: {
    edges: readonly ({
      node: {
        id: string
        name: string
        products: readonly (Product)[]
        fiats: readonly (string)[] | null
        createdAt: string
        disabledAt: string | null
      }
    })[]
  } | null
  tenantTerms: {
    fees: readonly ({
      rail: Rail
      percent: string
      fixed: string
      spreadPercent: string
    })[]
    limits: readonly ({
      currency: string
      perPayment: string | null
      perPayerDay: string | null
      perTenantDay: string | null
    })[]
    delays: readonly ({
      rail: Rail
      hours: number
    })[]
  } | null
  pausedPayouts: {
    pauses: readonly ({
      chainName: string | null
      tenantId: string | null
      reason: string
      since: string
    })[]
  } | null
}

export type TenantTermsVariables = {
  id: string
  search: string
}

export const tenantTermsQuery: GraphDocument<TenantTermsResult, TenantTermsVariables> = {
  id: '1e7a659929bf04ac065ad09b68a91e18efad969a9e8dc92a3bd7993bcfe1b156',
  right: 'operator',
}

export interface TreasuryResult {
  treasury: readonly ({
    chainName: string
    account: string | null
    accounts: readonly ({
      account: string
      balances: readonly ({
        symbol: string
        balance: string | null
      })[]
    })[]
    readAt: string
    isPaused: boolean
    tokens: readonly ({
      symbol: string
      balance: string | null
      waitingCount: number
      waiting: string
      lastDay: string
      lastsHours: string | null
      cap: {
        perPayout: string | null
        perDay: string | null
      } | null
    })[]
    gasPayer: {
      account: string
      symbol: string
      balance: string | null
    } | null
  })[] | null
  pausedPayouts: {
    pauses: readonly ({
      chainName: string | null
      tenantId: string | null
      reason: string
      since: string
    })[]
  } | null
}

export type TreasuryVariables = Record<string, never>

export const treasuryQuery: GraphDocument<TreasuryResult, TreasuryVariables> = {
  id: '8600c8eaeab497d6ad87cbb6675be53321e07302130833131157667a9927b523',
  right: 'operator',
}

export interface UpdateBrandingResult {
  updateBranding: {
    branding: {
      displayName: string | null
      accentColor: string | null
      logo: string | null
      embedOrigins: readonly (string)[]
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type UpdateBrandingVariables = {
  input: {
    displayName?: string | null | undefined
    accentColor?: string | null | undefined
    logo?: string | null | undefined
    embedOrigins?: readonly (string)[] | null | undefined
  }
}

export const updateBrandingMutation: GraphDocument<UpdateBrandingResult, UpdateBrandingVariables> = {
  id: 'fb4bdf4c7b0892c5173a49632c573ab2583f254e6d80fd6f1a9434296264b553',
  right: 'branding:write',
}

export interface UpdateWebhookEndpointResult {
  updateWebhookEndpoint: {
    webhookEndpoint: {
      id: string
    } | null
    errors: readonly (MutationError)[]
  } | null
}

export type UpdateWebhookEndpointVariables = {
  id: string
  input: {
    url?: string | null | undefined
    events?: readonly (string)[] | null | undefined
    description?: string | null | undefined
    isEnabled?: boolean | null | undefined
  }
}

export const updateWebhookEndpointMutation: GraphDocument<UpdateWebhookEndpointResult, UpdateWebhookEndpointVariables> = {
  id: 'c00d87dc4d823ee4e60df409c456d407b2a3315db957e98e417d69fc1595db0c',
  right: 'endpoints:write',
}

export interface VerificationsResult {
  kycRecords: {
    edges: readonly ({
      node: {
        id: string
        status: KycStatus
        sessionStatus: string | null
        isBlocklisted: boolean
        updatedAt: string
        ipInfo: readonly ({
          country: string | null
          isVpnOrTor: boolean
          isDataCenter: boolean
        })[]
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type VerificationsVariables = {
  first: number
  after?: string | null | undefined
}

export const verificationsQuery: GraphDocument<VerificationsResult, VerificationsVariables> = {
  id: '29e125b55c109eb3eaedd7a5585016c6917d6d092d903cc50debf0a21e24fd26',
  right: 'kyc:read',
}

export interface WaitingPayoutsResult {
  waitingPayouts: {
    edges: readonly ({
      node: {
        tenantId: string
        paymentId: string
        splitIndex: number
        chainName: string
        symbol: string
        amount: string
        receiver: string
        createdAt: string
        why: PayoutWait
        until: string | null
        transactionId: string | null
      }
    })[]
    pageInfo: {
      hasNextPage: boolean
      endCursor: string | null
    }
  } | null
}

export type WaitingPayoutsVariables = {
  first: number
  after?: string | null | undefined
  sending?: boolean | null | undefined
}

export const waitingPayoutsQuery: GraphDocument<WaitingPayoutsResult, WaitingPayoutsVariables> = {
  id: '21c4c6283d1ad4a2b376f1aad7bab41ae344b72a45ef1d5544ddd93571779d20',
  right: 'operator',
}

export interface WebhookEndpointsResult {
  webhookEndpoints: readonly ({
    id: string
    url: string
    description: string | null
    eventTypes: readonly (string)[] | null
    isEnabled: boolean
    previousUntil: string | null
    failingSince: string | null
  })[] | null
}

export type WebhookEndpointsVariables = Record<string, never>

export const webhookEndpointsQuery: GraphDocument<WebhookEndpointsResult, WebhookEndpointsVariables> = {
  id: 'e8c80bf8749b71097ae51dd5efde1346b1cf018856ae587cb0ed9fe6b47423c8',
  right: 'webhooks:read',
}

export interface YieldPositionResult {
  yieldEarnings: {
    earnings: readonly ({
      asset: string
      position: string | null
      earningsStatus: EarningsStatus
    })[]
  } | null
}

export type YieldPositionVariables = {
  wallet: string
  asset: string
  provider: YieldProvider
  chainName: string
}

export const yieldPositionQuery: GraphDocument<YieldPositionResult, YieldPositionVariables> = {
  id: 'afb0742d8b97f77ee8af45af43bfea8ed873c1824c1fe8f3ab6d7e63d79228fd',
  right: 'yield:read',
}

export interface YieldStrategiesResult {
  yieldStrategies: {
    strategies: readonly ({
      id: string
      protocolDisplayName: string
      enabled: boolean
      token: {
        symbol: string
      }
      apy: {
        supply: {
          percent: string
        } | null
        totalWithRewards: {
          percent: string
        } | null
      }
      liquidity: {
        tvlUsd: string | null
      }
    })[]
    sources: readonly ({
      provider: YieldProvider
      ok: boolean
      message: string
    })[]
  } | null
}

export type YieldStrategiesVariables = Record<string, never>

export const yieldStrategiesQuery: GraphDocument<YieldStrategiesResult, YieldStrategiesVariables> = {
  id: '44eeb8552897f76175ecddaf5694eb72001acd8964d2327de06afa2db53ba0bc',
  right: 'yield:read',
}
