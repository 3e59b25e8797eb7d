import { buildSubgraph } from '../../kernel/subgraph.js'
import type { ReceiveCallbackDeps } from './domain/charges/receive-callback.js'
import type { TokenizeCardDeps } from './domain/charges/tokenize-card.js'
import type { CancelPaymentDeps } from './domain/cancel-payment.js'
import type { CreateTransactionDeps } from './domain/create-transaction.js'
import type { FindInputFailuresDeps } from './domain/find-input-failures.js'
import type { RegisterCheckoutPaymentDeps } from './domain/registration/register-checkout-payment.js'
import type { ReadStatementDeps } from './domain/read-statement.js'
import type { RefundPaymentDeps } from './domain/refunds/refund-payment.js'
import type { EndWalletAttemptDeps } from './domain/transfers/end-wallet-attempt.js'
import type { ExecuteOnChainDeps } from './domain/transfers/execute-on-chain.js'
import { AnnouncedEventsResolver, type AnnouncedEventsDeps } from './graphql/announced-events.js'
import { CancelPaymentResolver } from './graphql/cancel-payment.js'
import { CreateTransactionResolver } from './graphql/create-transaction.js'
import { EndWalletAttemptResolver } from './graphql/end-wallet-attempt.js'
import { ExecuteOnChainResolver } from './graphql/execute-on-chain.js'
import { HeldPayoutsField } from './graphql/held-payouts.js'
import { InputFailuresResolver } from './graphql/input-failures.js'
import { ListPaymentsResolver } from './graphql/list-payments.js'
import { PaymentResolver } from './graphql/payment.js'
import { PaymentAtResolver, type PaymentAtDeps } from './graphql/payment-at.js'
import { PaymentAddressResolver, type PaymentAddressDeps } from './graphql/payment-address.js'
import { OrderPayments, PaymentFields, type PaymentFieldsDeps } from './graphql/payment.fields.js'
import { PaymentFeesField } from './graphql/payment-fees.js'
import { paymentReference } from './graphql/payment.reference.js'
import { EvmTransaction, SolanaTransaction } from './graphql/payment.type.js'
import { PAYMENT_SUBSCRIPTIONS } from './graphql/payment.subscriptions.js'
import { QuoteMarketResolver, type QuoteMarketDeps } from './graphql/quote-market.js'
import { ReceiveCallbackResolver } from './graphql/receive-callback.js'
import { PaymentRefundFields, RefundResolver, type RefundFieldsDeps } from './graphql/refund.js'
import { RefundPaymentResolver } from './graphql/refund-payment.js'
import { RegisterCheckoutPaymentResolver } from './graphql/register-checkout-payment.js'
import { RegisterPaymentResolver } from './graphql/register-payment.js'
import {
  OrderSubscriptionsField,
  PaymentSubscriptionField,
  SubscriptionResolver,
  type SubscriptionFieldsDeps,
} from './graphql/subscription.js'
import { StatementResolver } from './graphql/statement.js'
import { TokenizeCardResolver } from './graphql/tokenize-card.js'

/** What the resolvers need. */
export type ResolverDeps = AnnouncedEventsDeps &
  CancelPaymentDeps &
  CreateTransactionDeps &
  EndWalletAttemptDeps &
  ExecuteOnChainDeps &
  FindInputFailuresDeps &
  PaymentAtDeps &
  PaymentAddressDeps &
  PaymentFieldsDeps &
  QuoteMarketDeps &
  ReceiveCallbackDeps &
  ReadStatementDeps &
  RefundFieldsDeps &
  RefundPaymentDeps &
  RegisterCheckoutPaymentDeps &
  SubscriptionFieldsDeps &
  TokenizeCardDeps

/** The payments subgraph's schema: what is listed here is all that it offers. */
export function paymentsSubgraph(): ReturnType<typeof buildSubgraph<ResolverDeps>> {
  return buildSubgraph<ResolverDeps>({
    resolvers: [
      AnnouncedEventsResolver,
      CancelPaymentResolver,
      CreateTransactionResolver,
      EndWalletAttemptResolver,
      ExecuteOnChainResolver,
      HeldPayoutsField,
      InputFailuresResolver,
      ListPaymentsResolver,
      OrderPayments,
      OrderSubscriptionsField,
      PaymentFeesField,
      PaymentAtResolver,
      PaymentAddressResolver,
      PaymentFields,
      PaymentRefundFields,
      PaymentResolver,
      PaymentSubscriptionField,
      QuoteMarketResolver,
      ReceiveCallbackResolver,
      RefundPaymentResolver,
      RefundResolver,
      RegisterCheckoutPaymentResolver,
      RegisterPaymentResolver,
      StatementResolver,
      SubscriptionResolver,
      TokenizeCardResolver,
    ],
    orphanedTypes: [EvmTransaction, SolanaTransaction],
    references: { Payment: paymentReference, Order: ({ id }) => ({ id }) },
    subscriptions: PAYMENT_SUBSCRIPTIONS,
  })
}
