import type { Logger } from '../../kernel/log.js'
import { runningSubgraph } from '../../kernel/running-subgraph.js'
import type { RunningSubgraph } from '../../kernel/subgraph.js'
import { openOrdersDatabase, ordersContext, type SharedOrdersDeps } from './context.js'
import { ordersSubgraph } from './subgraph.js'

/** Starts the orders subgraph on its database. */
export async function startOrders(
  options: SharedOrdersDeps & { databaseUrl: string; poolSize: number; log: Logger },
): Promise<RunningSubgraph> {
  const { databaseUrl, poolSize, log } = options
  const db = await openOrdersDatabase({ url: databaseUrl, poolSize, log })
  return runningSubgraph(ordersSubgraph, db, ordersContext(db, options), options)
}
