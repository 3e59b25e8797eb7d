import { buildSubgraph } from '../../kernel/subgraph.js'
import type { OrdersDeps } from './deps.js'
import { ConnectOrdersResolver } from './graphql/connect-orders.js'
import { CreateOrderResolver } from './graphql/create-order.js'
import { DeleteOrderResolver } from './graphql/delete-order.js'
import { InputFailuresResolver } from './graphql/input-failures.js'
import { ListOrdersResolver } from './graphql/list-orders.js'
import { OrderResolver } from './graphql/order.js'
import { orderReference } from './graphql/order.reference.js'
import { Payment, PaymentFields } from './graphql/payment.fields.js'
import { SubscriptionConfigFields } from './graphql/subscription-config.js'
import { SwitchOrderResolver } from './graphql/switch-order.js'
import { ToggleOrderResolver } from './graphql/toggle-order.js'
import { UpdateOrderResolver } from './graphql/update-order.js'

/** The orders subgraph's schema: what is listed here is all that it offers. */
export function ordersSubgraph(): ReturnType<typeof buildSubgraph<OrdersDeps>> {
  return buildSubgraph<OrdersDeps>({
    resolvers: [
      OrderResolver,
      ConnectOrdersResolver,
      ListOrdersResolver,
      CreateOrderResolver,
      UpdateOrderResolver,
      SwitchOrderResolver,
      ToggleOrderResolver,
      DeleteOrderResolver,
      InputFailuresResolver,
      SubscriptionConfigFields,
      PaymentFields,
    ],
    // No operation of orders answers a payment: it only adds a field to those of payments.
    orphanedTypes: [Payment],
    references: { Order: orderReference, Payment: (payment) => payment },
    readScope: 'orders:read',
  })
}
