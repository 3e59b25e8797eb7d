import { buildSubgraph, tenantOf } from '../../kernel/subgraph.js'
import type { OrdersDeps } from './deps.js'
import { ConnectOrdersResolver } from './graphql/connect-orders.js'
import { InputFailuresResolver } from './graphql/input-failures.js'
import { ListOrdersResolver } from './graphql/list-orders.js'
import { OrderActsResolver } from './graphql/order-acts.js'
import { OrderResolver } from './graphql/order.js'
import { Payment, PaymentFields } from './graphql/payment.fields.js'
import { SubscriptionConfigFields } from './graphql/subscription-config.js'

/** The orders subgraph's schema: what is listed here is all that it offers. */
export function ordersSubgraph(): ReturnType<typeof buildSubgraph<OrdersDeps>> {
  return buildSubgraph<OrdersDeps>({
    resolvers: [
      OrderResolver,
      ConnectOrdersResolver,
      ListOrdersResolver,
      OrderActsResolver,
      InputFailuresResolver,
      SubscriptionConfigFields,
      PaymentFields,
    ],
    // No operation of orders answers a payment: it only adds a field to those of payments.
    orphanedTypes: [Payment],
    references: {
      Order: ({ id }, context) => context.deps.orderById(tenantOf(context).id, id),
      Payment: (payment) => payment,
    },
    readScope: 'orders:read',
  })
}
