import type { FieldFailure } from '../../kernel/errors.js'
import type { SubgraphContext } from '../../kernel/subgraph.js'
import type { TermsSettings } from '../../terms/check-terms.js'
import type { Order } from './store/order.entity.js'
import type { OrdersStore } from './store/orders.js'

/** What the use cases of orders are given; wired once, in `context.ts`. */
export interface OrdersDeps {
  settings: TermsSettings
  orders: OrdersStore
  /** Reads one order; all that one request asks for come in one statement. */
  orderById: (tenantId: string, id: string) => Promise<Order | undefined>
  /** Why a webhook URL is not acceptable: https and public addresses only, or none of these in the sandbox. */
  checkWebhookUrl: (field: string, url: string) => Promise<FieldFailure[]>
}

export type OrdersContext = SubgraphContext<OrdersDeps>
