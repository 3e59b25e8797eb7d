import { runningSubgraph } from '../../kernel/running-subgraph.js'
import type { RunningSubgraph } from '../../kernel/subgraph.js'
import { openYieldDatabase, yieldContext, type YieldOptions } from './context.js'
import { broadcastsStore } from './store/broadcasts.js'
import { yieldSubgraph } from './subgraph.js'

/** Starts the yield subgraph on its database. */
export async function startYield(
  options: YieldOptions & { databaseUrl: string; poolSize: number },
): Promise<RunningSubgraph> {
  const { databaseUrl, poolSize, log } = options
  const db = await openYieldDatabase({ url: databaseUrl, poolSize, log })
  const broadcasts = broadcastsStore(db, options.clock)
  return {
    ...runningSubgraph(yieldSubgraph, db, yieldContext(db, options), options),
    periodic: [{ name: 'remove-old-broadcasts', cron: '47 * * * *', run: () => broadcasts.removeOld() }],
  }
}
