import { buildSubgraph } from '../../kernel/subgraph.js'
import type { PaymentsDeps } from './deps.js'
import { CreateTransactionResolver } from './graphql/create-transaction.js'
import { ExecuteOnChainResolver } from './graphql/execute-on-chain.js'
import { InputFailuresResolver } from './graphql/input-failures.js'
import { ListPaymentsResolver } from './graphql/list-payments.js'
import { OrderPayments, PaymentFields } from './graphql/payment.fields.js'
import { paymentReference } from './graphql/payment.reference.js'
import { PaymentResolver } from './graphql/payment.js'
import { EvmTransaction, SolanaTransaction } from './graphql/payment.type.js'
import { QuoteMarketResolver } from './graphql/quote-market.js'
import { ReceiveCallbackResolver } from './graphql/receive-callback.js'
import { RegisterCheckoutPaymentResolver } from './graphql/register-checkout-payment.js'
import { RegisterPaymentResolver } from './graphql/register-payment.js'
import { OrderSubscriptionsField, PaymentSubscriptionField, SubscriptionResolver } from './graphql/subscription.js'
import { TokenizeCardResolver } from './graphql/tokenize-card.js'

/** The payments subgraph's schema: what is listed here is all that it offers. */
export function paymentsSubgraph(): ReturnType<typeof buildSubgraph<PaymentsDeps>> {
  return buildSubgraph<PaymentsDeps>({
    resolvers: [
      CreateTransactionResolver,
      ExecuteOnChainResolver,
      InputFailuresResolver,
      ListPaymentsResolver,
      OrderPayments,
      OrderSubscriptionsField,
      PaymentFields,
      PaymentResolver,
      PaymentSubscriptionField,
      QuoteMarketResolver,
      ReceiveCallbackResolver,
      RegisterCheckoutPaymentResolver,
      RegisterPaymentResolver,
      SubscriptionResolver,
      TokenizeCardResolver,
    ],
    orphanedTypes: [EvmTransaction, SolanaTransaction],
    references: { Payment: paymentReference, Order: ({ id }) => ({ id }) },
  })
}
