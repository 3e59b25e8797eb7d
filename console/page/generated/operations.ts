import type { GraphDocument } from '../graph/document.js'

export type AuditActorKind = "PERSON" | "OPERATOR" | "KEY" | "COMMAND_LINE"

export type DifferenceState = "OPEN" | "CLOSED"

export type ErrorCode = "VALIDATION_ERROR" | "INVALID_PARAMETERS" | "MISSING_PARAMS" | "PARAMS_MISMATCH" | "PAIR_NOT_FOUND" | "NOT_FOUND" | "PRODUCT_DISABLED" | "ORDER_NOT_FOUND" | "ORDER_INACTIVE" | "ORDER_LIMIT_REACHED" | "NO_FIELDS_TO_UPDATE" | "SUBSCRIPTION_NOT_FOUND" | "PAYMENT_NOT_FOUND" | "PAYMENT_ALREADY_PROCESSED" | "PAYMENT_NOT_REFUNDABLE" | "REFUND_EXCEEDS_PAYMENT" | "INSUFFICIENT_REFUND_BALANCE" | "REFUND_NOT_FOUND" | "INVALID_PAYMENT_STATUS" | "MISSING_UNSIGNED_TRANSACTION" | "INVALID_SIGNED_TRANSACTION" | "INVALID_CHAIN" | "STALE_TRANSACTION_NONCE" | "PAYMENT_FAILED" | "KYC_VERIFICATION_REQUIRED" | "KYC_NOT_APPROVED" | "WALLET_REFUSED" | "PAYMENT_LIMIT_EXCEEDED" | "WEBHOOK_ADDRESS_MISSING" | "USER_NOT_FOUND" | "EMAIL_ALREADY_VERIFIED" | "OTP_INVALID" | "OTP_EXPIRED" | "OTP_MAX_ATTEMPTS" | "OTP_RATE_LIMITED" | "KYC_NOT_FOUND" | "IDENTITY_NOT_VERIFIED" | "USER_NOT_PREPARED" | "METHOD_NOT_FOUND" | "VERIFY_QUOTA_EXCEEDED" | "INVALID_WALLET" | "SIGNATURE_INVALID" | "CHALLENGE_INVALID" | "CHALLENGE_EXPIRED" | "EMAIL_ALREADY_LINKED" | "INSUFFICIENT_POSITION" | "STRATEGY_DISABLED" | "SIGNED_TRANSACTION_MISSING" | "REBALANCE_TRANSACTION_TOO_LARGE" | "BROADCAST_REJECTED" | "BROADCAST_SIMULATION_FAILED" | "BROADCAST_RPC_UNAVAILABLE" | "CONFIRM_TRANSACTION_FAILED" | "CONFIRM_RPC_UNAVAILABLE" | "BROADCAST_CONFIRMATION_TIMEOUT" | "SOLANA_BLOCKHASH_EXPIRED" | "PROVIDER_UNAVAILABLE" | "PROVIDER_TIMEOUT"

export type GatewayMethod = "DIRECT" | "SUBS"

export type HoldReason = "DELAY" | "TREASURY_CAP" | "WALLET_REFUSED" | "PARTLY_TAKEN_BACK" | "UNPROVEN" | "CANCELLED"

export type InvitationLanguage = "EN" | "PT"

export type KycStatus = "PENDING" | "IN_REVIEW" | "APPROVED" | "DECLINED" | "ABANDONED" | "EXPIRED"

export type MoneyOwner = "OWNER" | "LOSS" | "BANK"

export type OperatorAlertState = "OPEN" | "CLOSED"

export type PaymentStatus = "REGISTERED" | "PENDING" | "SUCCESS" | "ERROR" | "REPROVED"

export type PayoutAction = "RETRY" | "CANCEL" | "RESOLVE" | "RELEASE"

export type PayoutDecisionState = "PROPOSED" | "ORDERED" | "DONE" | "REFUSED"

export type PayoutState = "WAITING" | "SENDING" | "PAID" | "HELD" | "CANCELED"

export type PayoutWait = "QUEUED" | "PAUSED" | "DELAY" | "FUNDS" | "SCREENING" | "ANOTHER_TRY" | "TREASURY_CAP" | "WALLET_REFUSED" | "PARTLY_TAKEN_BACK" | "UNPROVEN" | "CANCELLED"

export type PersonRole = "OWNER" | "DEVELOPER" | "SUPPORT" | "VIEWER"

export type RefundReason = "REQUESTED_BY_CUSTOMER" | "DUPLICATE" | "FRAUDULENT" | "OTHER"

export type RefundStatus = "PENDING" | "SUCCEEDED" | "FAILED"

export type SubscriptionCancelReason = "REQUESTED" | "ORDER_INACTIVE" | "ORDER_NOT_SUBSCRIPTION" | "ORDER_NOT_FOUND"

export type SubscriptionInterval = "WEEKLY" | "MONTHLY" | "YEARLY"

export type SubscriptionStatus = "ACTIVE" | "PAST_DUE" | "CANCELED"

export type TenantProduct = "CRYPTO" | "PIX" | "CREDIT_CARD" | "KYC"

export type TransactionType = "CRYPTO" | "PIXCRYPTO" | "FIATCRYPTO" | "CARDCRYPTO" | "CARDFIAT"

export type WebhookAttemptFailure = "ADDRESS_REFUSED" | "LOOKUP_FAILED" | "TIMEOUT" | "TLS_FAILED" | "CONNECTION_FAILED" | "NO_SECRET"

export type WebhookDeliveryState = "PENDING" | "DELIVERED" | "FAILED"

export type YieldProvider = "ALPHA_LEND" | "BETA"

export interface AcceptUnderpaymentResult {
  acceptUnderpayment: {
    payment: {
      status: PaymentStatus
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type AcceptUnderpaymentVariables = {
  id: string
}

export const acceptUnderpaymentMutation: GraphDocument<AcceptUnderpaymentResult, AcceptUnderpaymentVariables> = {
  text: "mutation AcceptUnderpayment($id:ID!){acceptUnderpayment(id:$id){payment{status}errors{code message path}}}",
}

export interface AlertsResult {
  alerts: {
    edges: readonly ({
      node: {
        id: string
        kind: string
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
  text: "query Alerts($first:Int!$after:String$state:OperatorAlertState){alerts(first:$first after:$after state:$state){edges{node{id kind subject details count firstAt lastAt closedAt closedBy reason}}pageInfo{hasNextPage endCursor}}}",
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
  text: "query ApiKeys{apiKeys{id name prefix scopes createdAt expiresAt lastUsedAt revokedAt}}",
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
  } | null | undefined
}

export const auditLogQuery: GraphDocument<AuditLogResult, AuditLogVariables> = {
  text: "query AuditLog($first:Int!$after:String$filter:AuditFilter){auditLog(first:$first after:$after filter:$filter){edges{node{id at tenantId actorKind actorId actorEmail operation subjects address agent requestId outcome resultId}}pageInfo{hasNextPage endCursor}}}",
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
  text: "query Branding{branding{displayName accentColor logo embedOrigins}}",
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

export interface CancelPayoutResult {
  cancelPayout: {
    payoutDecisionType: {
      state: PayoutDecisionState
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type CancelPayoutVariables = {
  subject: string
  reason: string
}

export const cancelPayoutMutation: GraphDocument<CancelPayoutResult, CancelPayoutVariables> = {
  text: "mutation CancelPayout($subject:ID!$reason:String!){cancelPayout(transaction:$subject reason:$reason){payoutDecisionType{state}errors{code message path}}}",
}

export interface CancelSubscriptionResult {
  cancelSubscription: {
    paymentSubscription: {
      status: SubscriptionStatus
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type CancelSubscriptionVariables = {
  id: string
}

export const cancelSubscriptionMutation: GraphDocument<CancelSubscriptionResult, CancelSubscriptionVariables> = {
  text: "mutation CancelSubscription($id:ID!){cancelSubscription(id:$id){paymentSubscription{status}errors{code message path}}}",
}

export interface ChangePersonRoleResult {
  changePersonRole: {
    person: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type ChangePersonRoleVariables = {
  id: string
  role: PersonRole
}

export const changePersonRoleMutation: GraphDocument<ChangePersonRoleResult, ChangePersonRoleVariables> = {
  text: "mutation ChangePersonRole($id:ID!$role:PersonRole!){changePersonRole(id:$id role:$role){person{id}errors{code message path}}}",
}

export interface ChangeTenantProductsResult {
  changeTenantProducts: {
    tenant: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type ChangeTenantProductsVariables = {
  id: string
  products: readonly (TenantProduct)[]
}

export const changeTenantProductsMutation: GraphDocument<ChangeTenantProductsResult, ChangeTenantProductsVariables> = {
  text: "mutation ChangeTenantProducts($id:ID!$products:[TenantProduct!]!){changeTenantProducts(id:$id products:$products){tenant{id}errors{code message path}}}",
}

export interface CloseAlertResult {
  closeAlert: {
    operatorAlert: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type CloseAlertVariables = {
  id: string
  reason: string
}

export const closeAlertMutation: GraphDocument<CloseAlertResult, CloseAlertVariables> = {
  text: "mutation CloseAlert($id:ID!$reason:String!){closeAlert(id:$id reason:$reason){operatorAlert{id}errors{code message path}}}",
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
    publicClientId?: string | null | undefined
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
          responseBody: string | null
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
  text: "query Deliveries($first:Int!$after:String$resourceId:ID$state:WebhookDeliveryState){webhookDeliveries(first:$first after:$after resourceId:$resourceId state:$state){edges{node{id type url state resourceId body createdAt deliveredAt nextAttemptAt attempts{number attemptedAt httpStatus failure durationMs responseBody}}}pageInfo{hasNextPage endCursor}}}",
}

export interface DifferencesResult {
  reconciliationDifferences: {
    edges: readonly ({
      node: {
        id: string
        kind: string
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
  text: "query Differences($first:Int!$after:String$state:DifferenceState){reconciliationDifferences(first:$first after:$after state:$state){edges{node{id kind subject expected actual currency details foundAt closedAt reason}}pageInfo{hasNextPage endCursor}}}",
}

export interface DisableTenantResult {
  disableTenant: {
    tenant: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type DisableTenantVariables = {
  id: string
}

export const disableTenantMutation: GraphDocument<DisableTenantResult, DisableTenantVariables> = {
  text: "mutation DisableTenant($id:ID!){disableTenant(id:$id){tenant{id}errors{code message path}}}",
}

export interface EnableTenantResult {
  enableTenant: {
    tenant: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type EnableTenantVariables = {
  id: string
}

export const enableTenantMutation: GraphDocument<EnableTenantResult, EnableTenantVariables> = {
  text: "mutation EnableTenant($id:ID!){enableTenant(id:$id){tenant{id}errors{code message path}}}",
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
  text: "query Endpoints{account{id integrations{publicClientId webhookUrl isDefault previousUntil}}}",
}

export interface EndSessionResult {
  endSession: {
    session: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type EndSessionVariables = {
  id: string
}

export const endSessionMutation: GraphDocument<EndSessionResult, EndSessionVariables> = {
  text: "mutation EndSession($id:ID!){endSession(id:$id){session{id}errors{code message path}}}",
}

export interface GiveBackUnderpaymentResult {
  giveBackUnderpayment: {
    payment: {
      status: PaymentStatus
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type GiveBackUnderpaymentVariables = {
  input: {
    paymentId: string
    wallet: string
  }
}

export const giveBackUnderpaymentMutation: GraphDocument<GiveBackUnderpaymentResult, GiveBackUnderpaymentVariables> = {
  text: "mutation GiveBackUnderpayment($input:GiveBackUnderpaymentInput!){giveBackUnderpayment(input:$input){payment{status}errors{code message path}}}",
}

export interface InvitePersonResult {
  invitePerson: {
    person: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
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
  text: "mutation InvitePerson($input:InvitePersonInput!){invitePerson(input:$input){person{id}errors{code message path}}}",
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
  text: "query Operating{jobs{name due failed oldestDueAt}reconciliations{scope begunAt endedAt skipped}}",
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

export interface PausePayoutsResult {
  pausePayouts: {
    pausedPayouts: {
      pauses: readonly ({
        since: string
      })[]
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type PausePayoutsVariables = {
  chainName?: string | null | undefined
  tenantId?: string | null | undefined
  reason: string
}

export const pausePayoutsMutation: GraphDocument<PausePayoutsResult, PausePayoutsVariables> = {
  text: "mutation PausePayouts($chainName:String$tenantId:ID$reason:String!){pausePayouts(chainName:$chainName tenantId:$tenantId reason:$reason){pausedPayouts{pauses{since}}errors{code message path}}}",
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
    receivedAmount: string
    overpaidAmount: string
    late: boolean
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
    instantTransfer: {
      txid: string
      pixCopiaECola: string
    } | null
    payouts: readonly ({
      splitIndex: number
      amount: string
      symbol: string
      state: PayoutState
      reason: HoldReason | null
      until: string | null
      hash: string | null
      transactionUrl: string | null
      paidAt: string | null
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
  text: "query Payment($id:ID!){payment(id:$id){id status sequence createdAt updatedAt transactionType amountFrom fromCurrencySymbol amountTo toCurrencySymbol toChain chainName payerEmail payerWallet payerTokenSymbol tidHash orderCode refundedAmount receivedAmount overpaidAmount late sessionPayment dataError{code message}splitPaymentConfig{receiverWallet receiverPercent recipientId}instantTransfer{txid pixCopiaECola}payouts{splitIndex amount symbol state reason until hash transactionUrl paidAt}quote{rate feeAmount spreadAmount source expiresAt}fees{currency platform spread provider}refunds{id amount currency status reason createdAt}history(first:50){sequence status cause createdAt}}}",
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

export interface PayoutDecisionsResult {
  payoutDecisions: {
    edges: readonly ({
      node: {
        id: string
        batchId: string
        action: PayoutAction
        chainName: string | null
        state: PayoutDecisionState
        reason: string | null
        orderedBy: string | null
        orderedAt: string | null
        proposedBy: string | null
        result: string | null
        endedAt: string | null
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
  text: "query PayoutDecisions($first:Int!$after:String){payoutDecisions(first:$first after:$after){edges{node{id batchId action chainName state reason orderedBy orderedAt proposedBy result endedAt}}pageInfo{hasNextPage endCursor}}}",
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
  text: "query PayoutProposals{payoutProposals{id batchId action reason proposedBy}}",
}

export interface PeopleResult {
  people: readonly ({
    id: string
    email: string
    role: PersonRole
    createdAt: string
    joinedAt: string | null
    invitationExpiresAt: string | null
  })[] | null
}

export type PeopleVariables = Record<string, never>

export const peopleQuery: GraphDocument<PeopleResult, PeopleVariables> = {
  text: "query People{people{id email role createdAt joinedAt invitationExpiresAt}}",
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
    subscriptionPaymentConfig?: {
      planName: string
      interval: SubscriptionInterval
      nextPaymentAt?: number | null | undefined
      charge?: boolean | null | undefined
      retryCount?: number | null | undefined
    } | null | undefined
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

export interface ReleasePayoutsResult {
  releasePayouts: {
    payoutDecisionType: {
      state: PayoutDecisionState
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type ReleasePayoutsVariables = {
  subject: string
  reason: string
}

export const releasePayoutsMutation: GraphDocument<ReleasePayoutsResult, ReleasePayoutsVariables> = {
  text: "mutation ReleasePayouts($subject:ID!$reason:String!){releasePayouts(paymentId:$subject reason:$reason){payoutDecisionType{state}errors{code message path}}}",
}

export interface RemovePersonResult {
  removePerson: {
    person: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type RemovePersonVariables = {
  id: string
}

export const removePersonMutation: GraphDocument<RemovePersonResult, RemovePersonVariables> = {
  text: "mutation RemovePerson($id:ID!){removePerson(id:$id){person{id}errors{code message path}}}",
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

export interface ResendInvitationResult {
  resendInvitation: {
    person: {
      id: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type ResendInvitationVariables = {
  id: string
  language?: InvitationLanguage | null | undefined
}

export const resendInvitationMutation: GraphDocument<ResendInvitationResult, ResendInvitationVariables> = {
  text: "mutation ResendInvitation($id:ID!$language:InvitationLanguage){resendInvitation(id:$id language:$language){person{id}errors{code message path}}}",
}

export interface ResolveDifferenceResult {
  resolveDifference: {
    differenceResolution: {
      entry: string | null
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type ResolveDifferenceVariables = {
  id: string
  reason: string
  as?: MoneyOwner | null | undefined
}

export const resolveDifferenceMutation: GraphDocument<ResolveDifferenceResult, ResolveDifferenceVariables> = {
  text: "mutation ResolveDifference($id:ID!$reason:String!$as:MoneyOwner){resolveDifference(id:$id reason:$reason as:$as){differenceResolution{entry}errors{code message path}}}",
}

export interface ResolvePayoutResult {
  resolvePayout: {
    payoutDecisionType: {
      state: PayoutDecisionState
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type ResolvePayoutVariables = {
  subject: string
  reason: string
}

export const resolvePayoutMutation: GraphDocument<ResolvePayoutResult, ResolvePayoutVariables> = {
  text: "mutation ResolvePayout($subject:ID!$reason:String!){resolvePayout(transaction:$subject reason:$reason){payoutDecisionType{state}errors{code message path}}}",
}

export interface ResumePayoutsResult {
  resumePayouts: {
    pausedPayouts: {
      pauses: readonly ({
        since: string
      })[]
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type ResumePayoutsVariables = {
  chainName?: string | null | undefined
  tenantId?: string | null | undefined
}

export const resumePayoutsMutation: GraphDocument<ResumePayoutsResult, ResumePayoutsVariables> = {
  text: "mutation ResumePayouts($chainName:String$tenantId:ID){resumePayouts(chainName:$chainName tenantId:$tenantId){pausedPayouts{pauses{since}}errors{code message path}}}",
}

export interface RetryPayoutResult {
  retryPayout: {
    payoutDecisionType: {
      state: PayoutDecisionState
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type RetryPayoutVariables = {
  subject: string
  reason: string
}

export const retryPayoutMutation: GraphDocument<RetryPayoutResult, RetryPayoutVariables> = {
  text: "mutation RetryPayout($subject:ID!$reason:String!){retryPayout(transaction:$subject reason:$reason){payoutDecisionType{state}errors{code message path}}}",
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

export interface RotateWebhookSecretResult {
  rotateWebhookSecret: {
    rotatedWebhookSecret: {
      secret: string
      previousUntil: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type RotateWebhookSecretVariables = {
  publicClientId: string
  overlapHours?: number | null | undefined
}

export const rotateWebhookSecretMutation: GraphDocument<RotateWebhookSecretResult, RotateWebhookSecretVariables> = {
  text: "mutation RotateWebhookSecret($publicClientId:ID!$overlapHours:Int){rotateWebhookSecret(publicClientId:$publicClientId overlapHours:$overlapHours){rotatedWebhookSecret{secret previousUntil}errors{code message path}}}",
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
    publicClientId?: string | null | undefined
  }
}

export const sendTestWebhookMutation: GraphDocument<SendTestWebhookResult, SendTestWebhookVariables> = {
  text: "mutation SendTestWebhook($input:SendTestWebhookInput!){sendTestWebhook(input:$input){webhookDelivery{id}errors{code message path}}}",
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
  text: "query Sessions{sessions{id isCurrent address agent createdAt lastUsedAt}}",
}

export interface SetPayoutDelayResult {
  setPayoutDelay: {
    tenantTerms: {
      tenantId: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type SetPayoutDelayVariables = {
  tenantId: string
  rail: string
  hours: number
}

export const setPayoutDelayMutation: GraphDocument<SetPayoutDelayResult, SetPayoutDelayVariables> = {
  text: "mutation SetPayoutDelay($tenantId:ID!$rail:String!$hours:Int!){setPayoutDelay(tenantId:$tenantId rail:$rail hours:$hours){tenantTerms{tenantId}errors{code message path}}}",
}

export interface SetTenantFeesResult {
  setTenantFees: {
    tenantTerms: {
      tenantId: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type SetTenantFeesVariables = {
  input: {
    tenantId: string
    rail: string
    percent: string
    fixed: string
    spread: string
  }
}

export const setTenantFeesMutation: GraphDocument<SetTenantFeesResult, SetTenantFeesVariables> = {
  text: "mutation SetTenantFees($input:TenantFeesInput!){setTenantFees(input:$input){tenantTerms{tenantId}errors{code message path}}}",
}

export interface SetTenantLimitsResult {
  setTenantLimits: {
    tenantTerms: {
      tenantId: string
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
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
  text: "mutation SetTenantLimits($input:TenantLimitsInput!){setTenantLimits(input:$input){tenantTerms{tenantId}errors{code message path}}}",
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
      yield: boolean
    }
  } | null
  underpaymentTolerance: string
}

export type SettingsVariables = Record<string, never>

export const settingsQuery: GraphDocument<SettingsResult, SettingsVariables> = {
  text: "query Settings{account{id name createdAt products{crypto pix creditCard kyc yield}}underpaymentTolerance}",
}

export interface SetToleranceResult {
  setUnderpaymentTolerance: {
    decimal: string | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type SetToleranceVariables = {
  percent: string
}

export const setToleranceMutation: GraphDocument<SetToleranceResult, SetToleranceVariables> = {
  text: "mutation SetTolerance($percent:Decimal!){setUnderpaymentTolerance(percent:$percent){decimal errors{code message path}}}",
}

export interface SetWebhookAddressResult {
  setWebhookAddress: {
    integration: {
      webhookUrl: string | null
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
  } | null
}

export type SetWebhookAddressVariables = {
  publicClientId: string
  url?: string | null | undefined
}

export const setWebhookAddressMutation: GraphDocument<SetWebhookAddressResult, SetWebhookAddressVariables> = {
  text: "mutation SetWebhookAddress($publicClientId:ID!$url:String){setWebhookAddress(publicClientId:$publicClientId url:$url){integration{webhookUrl}errors{code message path}}}",
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

export interface SubscriptionResult {
  paymentSubscription: {
    id: string
    status: SubscriptionStatus
    planName: string
    interval: SubscriptionInterval
    charge: boolean
    orderCode: string | null
    retryCount: number
    refusals: number
    skippedPeriods: number
    dueAt: string | null
    nextAttemptAt: string | null
    nextPaymentAt: string | null
    cancelReason: SubscriptionCancelReason | null
    createdAt: string
    updatedAt: string
    history: readonly ({
      sequence: number
      type: string
      createdAt: string
    })[]
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
  } | null
}

export type SubscriptionVariables = {
  id: string
  first: number
  after?: string | null | undefined
}

export const subscriptionQuery: GraphDocument<SubscriptionResult, SubscriptionVariables> = {
  text: "query Subscription($id:ID!$first:Int!$after:String){paymentSubscription(id:$id){id status planName interval charge orderCode retryCount refusals skippedPeriods dueAt nextAttemptAt nextPaymentAt cancelReason createdAt updatedAt history(first:100){sequence type createdAt}payments(first:$first after:$after){edges{node{id status amountFrom fromCurrencySymbol amountTo toCurrencySymbol transactionType payerEmail payerWallet refundedAmount createdAt dataError{code}}}pageInfo{hasNextPage endCursor}}}}",
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
        orderCode: string | null
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
  text: "query Subscriptions($first:Int!$after:String$filter:PaymentSubscriptionFilterInput){paymentSubscriptions(first:$first after:$after filter:$filter){edges{node{id status planName interval charge orderCode nextPaymentAt createdAt}}pageInfo{hasNextPage endCursor}}}",
}

export interface TenantsResult {
  tenants: {
    edges: readonly ({
      node: {
        id: string
        name: string
        products: readonly (TenantProduct)[]
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
  text: "query Tenants($first:Int!$after:String$search:String){tenants(first:$first after:$after search:$search){edges{node{id name products fiats createdAt disabledAt}}pageInfo{hasNextPage endCursor}}}",
}

export interface TenantTermsResult {
  tenants: {
    edges: readonly ({
      node: {
        id: string
        name: string
        products: readonly (TenantProduct)[]
        fiats: readonly (string)[] | null
        createdAt: string
        disabledAt: string | null
      }
    })[]
  } | null
  tenantTerms: {
    fees: readonly ({
      rail: string
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
      rail: string
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
  text: "query TenantTerms($id:ID!$search:String!){tenants(search:$search first:1){edges{node{id name products fiats createdAt disabledAt}}}tenantTerms(tenantId:$id){fees{rail percent fixed spreadPercent}limits{currency perPayment perPayerDay perTenantDay}delays{rail hours}}pausedPayouts{pauses{chainName tenantId reason since}}}",
}

export interface TreasuryResult {
  treasury: readonly ({
    chainName: string
    account: string | null
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
  text: "query Treasury{treasury{chainName account readAt isPaused tokens{symbol balance waitingCount waiting lastDay lastsHours cap{perPayout perDay}}gasPayer{account symbol balance}}pausedPayouts{pauses{chainName tenantId reason since}}}",
}

export interface UpdateBrandingResult {
  updateBranding: {
    branding: {
      displayName: string | null
      accentColor: string | null
      logo: string | null
      embedOrigins: readonly (string)[]
    } | null
    errors: readonly ({
      code: ErrorCode
      message: string
      path: readonly (string)[] | null
    })[]
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
  text: "mutation UpdateBranding($input:UpdateBrandingInput!){updateBranding(input:$input){branding{displayName accentColor logo embedOrigins}errors{code message path}}}",
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
  text: "query Verifications($first:Int!$after:String){kycRecords(first:$first after:$after){edges{node{id status sessionStatus isBlocklisted updatedAt ipInfo{country isVpnOrTor isDataCenter}}}pageInfo{hasNextPage endCursor}}}",
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
}

export const waitingPayoutsQuery: GraphDocument<WaitingPayoutsResult, WaitingPayoutsVariables> = {
  text: "query WaitingPayouts($first:Int!$after:String){waitingPayouts(first:$first after:$after){edges{node{tenantId paymentId splitIndex chainName symbol amount receiver createdAt why until transactionId}}pageInfo{hasNextPage endCursor}}}",
}

export interface YieldPositionResult {
  yieldEarnings: {
    earnings: readonly ({
      provider: YieldProvider
      asset: string
      position: string | null
      earningsStatus: string
      earningsDetails: string | null
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
  text: "query YieldPosition($wallet:String!$asset:String!$provider:YieldProvider!$chainName:String!){yieldEarnings(wallet:$wallet asset:$asset provider:$provider chainName:$chainName){earnings{provider asset position earningsStatus earningsDetails}}}",
}

export interface YieldStrategiesResult {
  yieldStrategies: {
    strategies: readonly ({
      id: string
      provider: YieldProvider
      protocolDisplayName: string
      productType: string
      enabled: boolean
      token: {
        symbol: string
      }
      apy: {
        supply: {
          percent: number
        } | null
        totalWithRewards: {
          percent: number
        } | null
      }
      liquidity: {
        tvlUsd: number | null
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
  text: "query YieldStrategies{yieldStrategies{strategies{id provider protocolDisplayName productType enabled token{symbol}apy{supply{percent}totalWithRewards{percent}}liquidity{tvlUsd}}sources{provider ok message}}}",
}
