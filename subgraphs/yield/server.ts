import { auditLog } from '../../kernel/audit.js'
import { localExecutor, type RunningSubgraph } from '../../kernel/subgraph.js'
import { schemaOf } from '../../kernel/subgraph-schema.js'
import { openYieldDatabase, yieldContext, type YieldOptions } from './context.js'
import { broadcastsStore } from './store/broadcasts.js'
import { yieldSubgraph } from './subgraph.js'

/** Starts the yield subgraph on its database. */
export async function startYield(
  options: YieldOptions & { databaseUrl: string; poolSize: number },
): Promise<RunningSubgraph> {
  const { databaseUrl, poolSize, log } = options
  const db = await openYieldDatabase({ url: databaseUrl, poolSize, log })
  const schema = schemaOf(yieldSubgraph)
  const broadcasts = broadcastsStore(db, options.clock)
  return {
    schema,
    execute: localExecutor(schema, yieldContext(db, options), log, auditLog(db, options.clock)),
    jobs: [],
    periodic: [{ name: 'remove-old-broadcasts', cron: '47 * * * *', run: () => broadcasts.removeOld() }],
    isReady: () => db.isReachable(),
    close: () => db.close(),
  }
}
