import type { Database } from '../../kernel/database.js'
import type { JobKind } from '../../kernel/jobs.js'
import { localExecutor, type RequestContext, type RunningSubgraph } from '../../kernel/subgraph.js'
import { openPaymentsDatabase, paymentsContext, type PaymentsOptions } from './context.js'
import type { PaymentsDeps } from './deps.js'
import { followRoute } from './domain/follow-route.js'
import { CONFIRM_PAYMENT, FOLLOW_ROUTE, SETTLE_SPLIT, type RelayJob } from './domain/payment-jobs.js'
import { resumeRelay } from './domain/resume-relay.js'
import { settleSplit } from './domain/settle-split.js'
import { paymentsSubgraph } from './subgraph.js'

/** The jobs run for the deployment, not for a caller: they name their tenant in every read. */
const WORKER: RequestContext = { requestId: 'worker', caller: { tenantId: null, keyId: 'worker', products: [] } }

/** Starts the payments subgraph on its database. */
export async function startPayments(
  options: PaymentsOptions & { databaseUrl: string; poolSize: number },
): Promise<RunningSubgraph> {
  const db: Database = await openPaymentsDatabase({
    url: options.databaseUrl,
    poolSize: options.poolSize,
    log: options.log,
  })
  const depsOf = paymentsContext(db, options)
  const { schema } = paymentsSubgraph()
  return {
    schema,
    execute: localExecutor(schema, depsOf, options.log),
    jobs: jobs(depsOf(WORKER)),
    periodic: [],
    close: () => db.close(),
  }
}

function jobs(deps: PaymentsDeps): JobKind<never>[] {
  const kind = (name: string, work: (deps: PaymentsDeps, job: RelayJob) => Promise<void>): JobKind<never> => ({
    name,
    maxAttempts: 25,
    run: (job: RelayJob) => work(deps, job),
  })
  return [kind(CONFIRM_PAYMENT, resumeRelay), kind(SETTLE_SPLIT, settleSplit), kind(FOLLOW_ROUTE, followRoute)]
}
