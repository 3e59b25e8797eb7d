import type { GraphDocument } from '../graph/document.js'

export type ErrorCode = "VALIDATION_ERROR" | "INVALID_PARAMETERS" | "MISSING_PARAMS" | "PARAMS_MISMATCH" | "PAIR_NOT_FOUND" | "NOT_FOUND" | "PRODUCT_DISABLED" | "ORDER_NOT_FOUND" | "ORDER_INACTIVE" | "ORDER_LIMIT_REACHED" | "NO_FIELDS_TO_UPDATE" | "SUBSCRIPTION_NOT_FOUND" | "PAYMENT_NOT_FOUND" | "PAYMENT_ALREADY_PROCESSED" | "PAYMENT_NOT_REFUNDABLE" | "REFUND_EXCEEDS_PAYMENT" | "INSUFFICIENT_REFUND_BALANCE" | "REFUND_NOT_FOUND" | "INVALID_PAYMENT_STATUS" | "MISSING_UNSIGNED_TRANSACTION" | "INVALID_SIGNED_TRANSACTION" | "INVALID_CHAIN" | "STALE_TRANSACTION_NONCE" | "PAYMENT_FAILED" | "KYC_VERIFICATION_REQUIRED" | "KYC_NOT_APPROVED" | "WALLET_REFUSED" | "PAYMENT_LIMIT_EXCEEDED" | "WEBHOOK_ADDRESS_MISSING" | "USER_NOT_FOUND" | "EMAIL_ALREADY_VERIFIED" | "OTP_INVALID" | "OTP_EXPIRED" | "OTP_MAX_ATTEMPTS" | "OTP_RATE_LIMITED" | "KYC_NOT_FOUND" | "IDENTITY_NOT_VERIFIED" | "USER_NOT_PREPARED" | "METHOD_NOT_FOUND" | "VERIFY_QUOTA_EXCEEDED" | "INVALID_WALLET" | "SIGNATURE_INVALID" | "CHALLENGE_INVALID" | "CHALLENGE_EXPIRED" | "EMAIL_ALREADY_LINKED" | "INSUFFICIENT_POSITION" | "STRATEGY_DISABLED" | "SIGNED_TRANSACTION_MISSING" | "REBALANCE_TRANSACTION_TOO_LARGE" | "BROADCAST_REJECTED" | "BROADCAST_SIMULATION_FAILED" | "BROADCAST_RPC_UNAVAILABLE" | "CONFIRM_TRANSACTION_FAILED" | "CONFIRM_RPC_UNAVAILABLE" | "BROADCAST_CONFIRMATION_TIMEOUT" | "SOLANA_BLOCKHASH_EXPIRED" | "PROVIDER_UNAVAILABLE" | "PROVIDER_TIMEOUT"

export type GatewayMethod = "DIRECT" | "SUBS"

export type HoldReason = "DELAY" | "TREASURY_CAP" | "WALLET_REFUSED" | "PARTLY_TAKEN_BACK" | "UNPROVEN" | "CANCELLED"

export type PaymentStatus = "REGISTERED" | "PENDING" | "SUCCESS" | "ERROR" | "REPROVED"

export type RefundReason = "REQUESTED_BY_CUSTOMER" | "DUPLICATE" | "FRAUDULENT" | "OTHER"

export type RefundStatus = "PENDING" | "SUCCEEDED" | "FAILED"

export type SubscriptionInterval = "WEEKLY" | "MONTHLY" | "YEARLY"

export type TransactionType = "CRYPTO" | "PIXCRYPTO" | "FIATCRYPTO" | "CARDCRYPTO" | "CARDFIAT"

export type WebhookAttemptFailure = "ADDRESS_REFUSED" | "LOOKUP_FAILED" | "TIMEOUT" | "TLS_FAILED" | "CONNECTION_FAILED" | "NO_SECRET"

export type WebhookDeliveryState = "PENDING" | "DELIVERED" | "FAILED"

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
  text: "query ApiKeys{apiKeys{id name prefix scopes createdAt expiresAt lastUsedAt revokedAt}}",
}

export interface CancelPaymentResult {
  cancelPayment: {
    payment: {
      id: string
      status: PaymentStatus
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type CancelPaymentVariables = {
  id: string
}

export const cancelPaymentMutation: GraphDocument<CancelPaymentResult, CancelPaymentVariables> = {
  text: "mutation CancelPayment($id:ID!){cancelPayment(id:$id){payment{id status}errors{code message path}}}",
}

export interface CreateApiKeyResult {
  createApiKey: {
    createdApiKey: {
      key: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type CreateApiKeyVariables = {
  input: {
    name: string
    scopes?: readonly (string)[] | null | undefined
    expiresAt?: string | null | undefined
  }
}

export const createApiKeyMutation: GraphDocument<CreateApiKeyResult, CreateApiKeyVariables> = {
  text: "mutation CreateApiKey($input:CreateApiKeyInput!){createApiKey(input:$input){createdApiKey{key}errors{code message path}}}",
}

export interface CreateOrderResult {
  createOrder: {
    order: {
      id: string
      paymentSessionLink: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
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
      receiverPercent: number
      recipientId?: string | null | undefined
      liable?: boolean | null | undefined
      chargeProcessingFee?: boolean | null | undefined
    })[] | null | undefined
    subscriptionPaymentConfig?: {
      planName: string
      interval: SubscriptionInterval
      nextPaymentAt?: number | null | undefined
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
  text: "mutation CreateOrder($input:CreateOrderInput!){createOrder(input:$input){order{id paymentSessionLink}errors{code message path}}}",
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
        body: unknown | null
        createdAt: string
        deliveredAt: string | null
        nextAttemptAt: string | null
        attempts: readonly ({
          number: number
          attemptedAt: string
          httpStatus: number | null
          failure: WebhookAttemptFailure | null
          durationMs: number
        })[]
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
}

export const deliveriesQuery: GraphDocument<DeliveriesResult, DeliveriesVariables> = {
  text: "query Deliveries($first:Int!$after:String$resourceId:ID$state:WebhookDeliveryState){webhookDeliveries(first:$first after:$after resourceId:$resourceId state:$state){edges{node{id type url state resourceId body createdAt deliveredAt nextAttemptAt attempts{number attemptedAt httpStatus failure durationMs}}}pageInfo{hasNextPage endCursor}}}",
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
        gatewayMethod: GatewayMethod
        paymentSessionLink: string
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
  text: "query Orders($first:Int!$after:String$filter:OrderFilterInput){orders(first:$first after:$after filter:$filter){edges{node{id active amountFrom fromCurrencySymbol toCurrencySymbol toChain gatewayMethod paymentSessionLink createdAt orderItems{name quantity}}}pageInfo{hasNextPage endCursor}}}",
}

export interface PaymentResult {
  payment: {
    id: string
    status: PaymentStatus
    sequence: number
    createdAt: string
    updatedAt: string
    transactionType: TransactionType | null
    amountFrom: string
    fromCurrencySymbol: string
    amountTo: string | null
    toCurrencySymbol: string
    toChain: string | null
    chainName: string | null
    payerEmail: string | null
    payerWallet: string | null
    payerTokenSymbol: string | null
    tidHash: string | null
    orderCode: string | null
    refundedAmount: string
    sessionPayment: string
    dataError: {
      code: string
      message: string
    } | null
    splitPaymentConfig: readonly ({
      receiverWallet: string
      receiverPercent: number
      recipientId: string | null
    })[]
    heldPayouts: readonly ({
      splitIndex: number
      amount: string
      reason: HoldReason | null
      until: string | null
    })[]
    quote: {
      rate: string
      feeAmount: string
      spreadAmount: string
      source: string
      expiresAt: string
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
      createdAt: string
    })[]
    history: readonly ({
      sequence: number
      status: PaymentStatus
      cause: string
      createdAt: string
    })[]
  } | null
}

export type PaymentVariables = {
  id: string
}

export const paymentQuery: GraphDocument<PaymentResult, PaymentVariables> = {
  text: "query Payment($id:ID!){payment(id:$id){id status sequence createdAt updatedAt transactionType amountFrom fromCurrencySymbol amountTo toCurrencySymbol toChain chainName payerEmail payerWallet payerTokenSymbol tidHash orderCode refundedAmount sessionPayment dataError{code message}splitPaymentConfig{receiverWallet receiverPercent recipientId}heldPayouts{splitIndex amount reason until}quote{rate feeAmount spreadAmount source expiresAt}fees{currency platform spread provider}refunds{id amount currency status reason createdAt}history(first:50){sequence status cause createdAt}}}",
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
        refundedAmount: string
        createdAt: string
        dataError: {
          code: string
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
  text: "query Payments($first:Int!$after:String$filter:PaymentFilterInput){payments(first:$first after:$after filter:$filter){edges{node{id status amountFrom fromCurrencySymbol amountTo toCurrencySymbol transactionType payerEmail payerWallet refundedAmount createdAt dataError{code}}}pageInfo{hasNextPage endCursor}}}",
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
    methods: readonly ({
      transactionType: TransactionType
      begun: number
      paid: number
    })[]
    failures: readonly ({
      code: string
      count: number
    })[]
    medianSettleSeconds: number | null
    slowSettleSeconds: number | null
  } | null
}

export type PaymentSummaryVariables = {
  from: string
}

export const paymentSummaryQuery: GraphDocument<PaymentSummaryResult, PaymentSummaryVariables> = {
  text: "query PaymentSummary($from:DateTime!){paymentSummary(from:$from){counted days{day currency registered paid sum}methods{transactionType begun paid}failures{code count}medianSettleSeconds slowSettleSeconds}}",
}

export interface PaymentsUpdatedResult {
  paymentsUpdated: {
    id: string
    sequence: number
  } | null
}

export type PaymentsUpdatedVariables = Record<string, never>

export const paymentsUpdatedSubscription: GraphDocument<PaymentsUpdatedResult, PaymentsUpdatedVariables> = {
  text: "subscription PaymentsUpdated{paymentsUpdated{id sequence}}",
}

export interface RefundPaymentResult {
  refundPayment: {
    refund: {
      id: string
      status: RefundStatus
      amount: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
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
  text: "mutation RefundPayment($id:ID!$input:RefundPaymentInput){refundPayment(id:$id input:$input){refund{id status amount}errors{code message path}}}",
}

export interface RegisterCheckoutPaymentResult {
  registerCheckoutPayment: {
    payment: {
      id: string
      sessionPayment: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type RegisterCheckoutPaymentVariables = {
  input: {
    orderCode: string
    executorId?: string | null | undefined
    tenantData?: {
      publicClientId: string
      webhookUrl: string
    } | null | undefined
    paymentMethodAllowed?: {
      crypto?: boolean | null | undefined
      pixcrypto?: boolean | null | undefined
      cardcrypto?: boolean | null | undefined
      cardfiat?: boolean | null | undefined
      cryptofiat?: boolean | null | undefined
      cryptopix?: boolean | null | undefined
    } | null | undefined
    splitPaymentConfig?: readonly ({
      receiverWallet: string
      receiverPercent: number
      recipientId?: string | null | undefined
      liable?: boolean | null | undefined
      chargeProcessingFee?: boolean | null | undefined
    })[] | null | undefined
    gatewayMethod?: GatewayMethod | null | undefined
    fromCurrencySymbol?: string | null | undefined
    amountFrom?: string | null | undefined
    toCurrencySymbol?: string | null | undefined
    toChain?: string | null | undefined
    onRamp?: boolean | null | undefined
    metadata?: unknown | null | undefined
    successUrl?: string | null | undefined
    cancelUrl?: string | null | undefined
  }
}

export const registerCheckoutPaymentMutation: GraphDocument<RegisterCheckoutPaymentResult, RegisterCheckoutPaymentVariables> = {
  text: "mutation RegisterCheckoutPayment($input:RegisterCheckoutPaymentInput!){registerCheckoutPayment(input:$input){payment{id sessionPayment}errors{code message path}}}",
}

export interface ReplayDeliveryResult {
  replayWebhookDelivery: {
    webhookDelivery: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type ReplayDeliveryVariables = {
  id: string
}

export const replayDeliveryMutation: GraphDocument<ReplayDeliveryResult, ReplayDeliveryVariables> = {
  text: "mutation ReplayDelivery($id:ID!){replayWebhookDelivery(id:$id){webhookDelivery{id}errors{code message path}}}",
}

export interface RevokeApiKeyResult {
  revokeApiKey: {
    apiKey: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type RevokeApiKeyVariables = {
  id: string
}

export const revokeApiKeyMutation: GraphDocument<RevokeApiKeyResult, RevokeApiKeyVariables> = {
  text: "mutation RevokeApiKey($id:ID!){revokeApiKey(id:$id){apiKey{id}errors{code message path}}}",
}

export interface SendTestWebhookResult {
  sendTestWebhook: {
    webhookDelivery: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type SendTestWebhookVariables = {
  input: {
    type: string
  }
}

export const sendTestWebhookMutation: GraphDocument<SendTestWebhookResult, SendTestWebhookVariables> = {
  text: "mutation SendTestWebhook($input:SendTestWebhookInput!){sendTestWebhook(input:$input){webhookDelivery{id}errors{code message path}}}",
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
        kind: string
        entry: string
        paymentId: string
        orderCode: string | null
        rail: string | null
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
  text: "query Statement($from:DateTime!$to:DateTime$first:Int!$after:String){statement(from:$from to:$to first:$first after:$after){openingBalances{account currency balance}closingBalances{account currency balance}edges{node{at kind entry paymentId orderCode rail receiver transactionHash account currency amount}}pageInfo{hasNextPage endCursor}}}",
}
