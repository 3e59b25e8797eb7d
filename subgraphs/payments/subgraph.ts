import { DateTime, Decimal, EmailAddress, JsonValue, Url } from '../../kernel/scalars.js'
import { buildSubgraph } from '../../kernel/subgraph.js'
import type { PaymentsDeps } from './deps.js'
import { PaymentFields } from './graphql/payment.fields.js'
import { paymentReference } from './graphql/payment.reference.js'
import { PaymentResolver } from './graphql/payment.js'
import { RegisterPaymentResolver } from './graphql/register-payment.js'

/** The payments subgraph's schema: what is listed here is all that it offers. */
export function paymentsSubgraph(): ReturnType<typeof buildSubgraph<PaymentsDeps>> {
  return buildSubgraph<PaymentsDeps>({
    resolvers: [PaymentResolver, PaymentFields, RegisterPaymentResolver],
    scalars: [DateTime, Decimal, EmailAddress, JsonValue, Url],
    references: { Payment: paymentReference },
  })
}
