import { removeOldFiles } from '../kernel/built-files.js'
import { removeOldKeys } from '../kernel/idempotency.js'
import type { Database } from '../kernel/database.js'
import { removeOldHealth } from '../kernel/provider-health/write-health.js'
import { startWorker } from '../kernel/worker.js'
import type { Deployment } from './deployment.js'
import type { Subgraphs } from './start-subgraphs.js'

/** Jobs at once: a slow receiver of webhooks holds one of them for up to 15 seconds. */
export const WORKER_CONCURRENCY = 20

/**
 * Starts the worker on the jobs of the subgraphs in this process.
 * @param hasPeriodic false where nothing is to happen by the time of day
 * @returns what stops it
 */
export async function runJobs(
  kernel: Database,
  { local }: Subgraphs,
  { clock, log }: Deployment,
  hasPeriodic: boolean,
): Promise<() => Promise<void>> {
  const parts = Object.values(local)
  const periodic = [
    ...parts.flatMap((part) => part.periodic),
    { name: 'remove-old-idempotency-keys', cron: '*/10 * * * *', run: () => removeOldKeys(kernel.pool, clock) },
    { name: 'remove-old-provider-health', cron: '*/30 * * * *', run: () => removeOldHealth(kernel.pool, clock) },
    { name: 'remove-old-built-files', cron: '53 4 * * *', run: () => removeOldFiles(kernel.pool, clock) },
  ]
  const worker = await startWorker({
    pool: kernel.pool,
    kinds: parts.flatMap(({ jobs }) => jobs),
    periodic: hasPeriodic ? periodic : [],
    concurrency: WORKER_CONCURRENCY,
    log,
  })
  return () => worker.stop()
}
