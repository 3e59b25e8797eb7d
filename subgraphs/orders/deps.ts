import type { ReauthorizeDeps } from '../../kernel/reauthorize.js'
import type { SubgraphContext } from '../../kernel/subgraph.js'
import type { CheckTenantDataDeps } from '../../terms/tenant-data.js'
import type { Order } from './store/order.entity.js'
import type { OrderMoment } from './store/order-reads.js'
import type { OrdersStore } from './store/orders.js'

/** What the use cases of orders are given; wired once, in `context.ts`. */
export interface OrdersDeps extends CheckTenantDataDeps, ReauthorizeDeps {
  orders: OrdersStore
  /** Reads one order; all that one request asks for come in one statement. */
  orderById: (tenantId: string, id: string) => Promise<Order | undefined>
  /** The same of one as it was at a moment. */
  orderThen: (tenantId: string, moment: OrderMoment) => Promise<Order | undefined>
}

export type OrdersContext = SubgraphContext<OrdersDeps>
