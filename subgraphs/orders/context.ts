import type { CheckAddress } from '../../kernel/address-guard.js'
import type { Clock } from '../../kernel/clock.js'
import { openDatabase, type Database } from '../../kernel/database.js'
import type { IdSource } from '../../kernel/ids.js'
import type { Logger } from '../../kernel/log.js'
import { reauthorization } from '../../kernel/reauthorize.js'
import type { RequestContext, SubgraphExecutor } from '../../kernel/subgraph.js'
import { perTenant } from '../../kernel/tenant-loader.js'
import { settingsFor } from '../../terms/check-terms.js'
import { integrationChecks } from '../../terms/integration.js'
import { webhookUrlCheck } from '../../terms/tenant-data.js'
import type { OrdersDeps } from './deps.js'
import { createOrders } from './store/migrations/0001-orders.js'
import { deleteOrders } from './store/migrations/0002-deleted-orders.js'
import { addReturnUrls } from './store/migrations/0003-return-urls.js'
import { keepOrderChanges } from './store/migrations/0004-order-changes.js'
import { listOrders } from './store/migrations/0005-listed-orders.js'
import { OrderEntity, OrderEventEntity } from './store/order.entity.js'
import { ordersStore } from './store/orders.js'

/** What is the same for all requests; the rest is made from it. */
export interface SharedOrdersDeps extends Pick<OrdersDeps, 'settings'> {
  /** Of webhook URLs. */
  checkAddress: CheckAddress
  clock: Clock
  newId: IdSource
  /** The subgraph that knows the tenant's integrations, and its people. */
  accounts: SubgraphExecutor
}

/** Connects orders to its PostgreSQL schema. */
export function openOrdersDatabase(options: { url: string; poolSize: number; log: Logger }): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'orders',
    entities: [OrderEntity, OrderEventEntity],
    migrations: [
      { name: '0001-orders', statements: createOrders },
      { name: '0002-deleted-orders', statements: deleteOrders },
      { name: '0003-return-urls', statements: addReturnUrls },
      { name: '0004-order-changes', statements: keepOrderChanges },
      { name: '0005-listed-orders', statements: listOrders, isConcurrent: true },
    ],
  })
}

/** Makes the dependencies of a request: everything shared, and loaders that live as long as the request. */
export function ordersContext(db: Database, shared: SharedOrdersDeps): (context: RequestContext) => OrdersDeps {
  const { clock, newId, settings, checkAddress, accounts } = shared
  const checksOf = integrationChecks(accounts)
  const reauthorizeFor = reauthorization(accounts)
  const orders = ordersStore(db, clock, newId)
  return (context) => ({
    settings: settingsFor(settings, context.caller),
    checkWebhookUrl: webhookUrlCheck(checkAddress, context),
    checkIntegration: checksOf(context),
    reauthorize: reauthorizeFor(context),
    orders,
    orderById: perTenant(orders.findMany),
    orderThen: perTenant(orders.findThen, { cacheKeyFn: ({ id, sequence, at }) => `${id} ${sequence ?? at}` }),
  })
}
