import type { GraphQLSchema } from 'graphql'
import { auditLog } from './audit.js'
import type { Clock } from './clock.js'
import type { Database } from './database.js'
import type { Logger } from './log.js'
import { localExecutor } from './local-executor.js'
import type { RequestContext, RunningSubgraph } from './subgraph.js'
import { schemaOf } from './subgraph-schema.js'

/**
 * A subgraph on its database, without work in the background.
 * @param build calls `buildSubgraph`; always the same function for the same subgraph
 */
export function runningSubgraph<Deps>(
  build: () => { schema: GraphQLSchema },
  db: Database,
  depsOf: (context: RequestContext) => Deps,
  { log, clock }: { log: Logger; clock: Clock },
): RunningSubgraph {
  const schema = schemaOf(build)
  return {
    schema,
    execute: localExecutor(schema, depsOf, log, auditLog(db, clock)),
    jobs: [],
    periodic: [],
    isReady: () => db.isReachable(),
    close: () => db.close(),
  }
}
