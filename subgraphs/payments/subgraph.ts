import { buildSubgraph, tenantOf } from '../../kernel/subgraph.js'
import type { DecideOnPayoutDeps } from './domain/operators/decide-on-payout.js'
import type { ListWaitingPayoutsDeps } from './domain/operators/list-waiting-payouts.js'
import type { ReadTreasuryDeps } from './domain/operators/read-treasury.js'
import type { CancelPaymentDeps } from './domain/cancel-payment.js'
import type { CreateTransactionDeps } from './domain/create-transaction.js'
import type { FindNodeDeps } from './domain/find-node.js'
import type { FindInputFailuresDeps } from './domain/find-input-failures.js'
import type { RegisterCheckoutPaymentDeps } from './domain/registration/register-checkout-payment.js'
import type { ReadConfigurationDeps } from './domain/read-configuration.js'
import type { EmailReceiptDeps } from './domain/receipts/email-receipt.js'
import type { EndWalletAttemptDeps } from './domain/transfers/end-wallet-attempt.js'
import type { ExecuteOnChainDeps } from './domain/transfers/execute-on-chain.js'
import type { Runtime } from './model/runtime.js'
import type { Stores } from './store/stores.js'
import { AlertsResolver } from './graphql/alerts.js'
import { AnnouncedEventsResolver } from './graphql/announced-events.js'
import { CancelPaymentResolver } from './graphql/cancel-payment.js'
import { ConfigurationResolver } from './graphql/configuration.js'
import { CreateTransactionResolver } from './graphql/create-transaction.js'
import { DifferencesResolver } from './graphql/differences.js'
import { EmailReceiptResolver } from './graphql/email-receipt.js'
import { WalletAttemptResolver } from './graphql/wallet-attempt.js'
import { PaymentFailureFields } from './graphql/failure-reason.js'
import { HeldPayoutsField } from './graphql/held-payouts.js'
import { InputFailuresResolver } from './graphql/input-failures.js'
import { ListPaymentsResolver } from './graphql/list-payments.js'
import { NodeResolver } from './graphql/node.js'
import { KycRecord } from './graphql/node.type.js'
import { PaymentResolver } from './graphql/payment.js'
import { PaymentAddressResolver, type PaymentAddressDeps } from './graphql/payment-address.js'
import { OrderPayments, PaymentFields, type PaymentFieldsDeps } from './graphql/payment.fields.js'
import { PaidAtField } from './graphql/paid-at.js'
import { PayerChargeField } from './graphql/payer-charge.js'
import { PaymentFeesField } from './graphql/payment-fees.js'
import { PaymentRefundableField } from './graphql/payment-refundable.js'
import { PaymentReturnFields, PaymentReturnResolver } from './graphql/payment-return.js'
import { PaymentSettledFields } from './graphql/payment-settled.js'
import { PaymentEventFields, PaymentHistoryFields } from './graphql/payment-history.js'
import { PaymentConnectionFields } from './graphql/payment-connection.type.js'
import { paymentReference } from './graphql/payment.reference.js'
import { EvmTransaction, SolanaTransaction } from './graphql/payment.type.js'
import { PAYMENT_SUBSCRIPTIONS } from './graphql/payment.subscriptions.js'
import { OperatingResolver } from './graphql/operating.js'
import { PayoutDecisionsResolver } from './graphql/payout-decisions.js'
import { PayoutPausesResolver } from './graphql/payout-pauses.js'
import { PayoutsField } from './graphql/payouts.js'
import { QuoteMarketResolver, type QuoteMarketDeps } from './graphql/quote-market.js'
import { ReceiveCallbackResolver } from './graphql/receive-callback.js'
import { DisputeResolver, PaymentDisputeFields } from './graphql/dispute.js'
import { PaymentRefundFields, RefundResolver } from './graphql/refund.js'
import { RegisterPaymentResolver } from './graphql/register-payment.js'
import { SubscriptionActsResolver, type SubscriptionActsDeps } from './graphql/subscription-acts.js'
import { OrderSubscriptionsField, PaymentSubscriptionField, SubscriptionResolver } from './graphql/subscription.js'
import { SubscriptionTermsField } from './graphql/subscription-terms.js'
import { PaymentSummaryResolver } from './graphql/payment-summary.js'
import { StatementLineFields, StatementResolver } from './graphql/statement.js'
import { TenantTermsResolver } from './graphql/tenant-terms.js'
import { TreasuryResolver } from './graphql/treasury.js'
import { WaitingPayoutsResolver } from './graphql/waiting-payouts.js'
import { TokenizeCardResolver } from './graphql/tokenize-card.js'

/** What the resolvers need: the process, the stores, and what else their use cases name. */
export type ResolverDeps = Runtime &
  Stores &
  CancelPaymentDeps &
  CreateTransactionDeps &
  DecideOnPayoutDeps &
  EmailReceiptDeps &
  EndWalletAttemptDeps &
  ExecuteOnChainDeps &
  FindInputFailuresDeps &
  FindNodeDeps &
  ListWaitingPayoutsDeps &
  PaymentAddressDeps &
  PaymentFieldsDeps &
  QuoteMarketDeps &
  ReadConfigurationDeps &
  ReadTreasuryDeps &
  RegisterCheckoutPaymentDeps &
  SubscriptionActsDeps

/** The payments subgraph's schema: what is listed here is all that it offers. */
export function paymentsSubgraph(): ReturnType<typeof buildSubgraph<ResolverDeps>> {
  return buildSubgraph<ResolverDeps>({
    resolvers: [
      AlertsResolver,
      AnnouncedEventsResolver,
      CancelPaymentResolver,
      ConfigurationResolver,
      CreateTransactionResolver,
      DifferencesResolver,
      EmailReceiptResolver,
      WalletAttemptResolver,
      HeldPayoutsField,
      InputFailuresResolver,
      ListPaymentsResolver,
      NodeResolver,
      OrderPayments,
      OrderSubscriptionsField,
      PaidAtField,
      PayerChargeField,
      PaymentDisputeFields,
      PaymentEventFields,
      PaymentFeesField,
      PaymentAddressResolver,
      PaymentConnectionFields,
      PaymentFailureFields,
      PaymentFields,
      PaymentHistoryFields,
      PaymentRefundableField,
      PaymentRefundFields,
      PaymentResolver,
      PaymentReturnFields,
      PaymentReturnResolver,
      PaymentSettledFields,
      PaymentSubscriptionField,
      OperatingResolver,
      PayoutDecisionsResolver,
      PayoutPausesResolver,
      PayoutsField,
      QuoteMarketResolver,
      ReceiveCallbackResolver,
      DisputeResolver,
      RefundResolver,
      RegisterPaymentResolver,
      PaymentSummaryResolver,
      StatementLineFields,
      StatementResolver,
      SubscriptionActsResolver,
      SubscriptionResolver,
      SubscriptionTermsField,
      TenantTermsResolver,
      TokenizeCardResolver,
      TreasuryResolver,
      WaitingPayoutsResolver,
    ],
    orphanedTypes: [EvmTransaction, KycRecord, SolanaTransaction],
    references: {
      Payment: paymentReference,
      Order: ({ id }) => ({ id }),
      PaymentSubscription: async ({ id }, context) =>
        (await context.deps.subscriptionById(tenantOf(context).id, id)) ?? null,
      Refund: async ({ id }, context) => (await context.deps.refundById(tenantOf(context).id, id)) ?? null,
    },
    readScope: 'payments:read',
    subscriptions: PAYMENT_SUBSCRIPTIONS,
  })
}
