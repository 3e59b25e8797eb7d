import { auditLog } from '../../kernel/audit.js'
import type { Logger } from '../../kernel/log.js'
import { localExecutor, type RunningSubgraph } from '../../kernel/subgraph.js'
import { schemaOf } from '../../kernel/subgraph-schema.js'
import { openOrdersDatabase, ordersContext, type SharedOrdersDeps } from './context.js'
import { ordersSubgraph } from './subgraph.js'

/** Starts the orders subgraph on its database. */
export async function startOrders(
  options: SharedOrdersDeps & { databaseUrl: string; poolSize: number; log: Logger },
): Promise<RunningSubgraph> {
  const { databaseUrl, poolSize, log } = options
  const db = await openOrdersDatabase({ url: databaseUrl, poolSize, log })
  const schema = schemaOf(ordersSubgraph)
  return {
    schema,
    execute: localExecutor(schema, ordersContext(db, options), log, auditLog(db, options.clock)),
    jobs: [],
    periodic: [],
    isReady: () => db.isReachable(),
    close: () => db.close(),
  }
}
