import { claimDatabase, CreateDatabaseMode } from '../kernel/database-mode.js'
import { openDatabase, type Database } from '../kernel/database.js'
import { IDEMPOTENCY_MIGRATIONS } from '../kernel/idempotency-migrations.js'
import { removeOldKeys } from '../kernel/idempotency.js'
import { CreateQuietJobs, migrateJobs } from '../kernel/jobs.js'
import { startWorker } from '../kernel/worker.js'
import type { Deployment } from './deployment.js'
import type { Subgraphs } from './start-subgraphs.js'

/** Jobs at once: a slow receiver of webhooks holds one of them for up to 15 seconds. */
const WORKER_CONCURRENCY = 20

/**
 * The schema that all processes share: jobs and idempotency keys.
 * @throws Error with one clear line where the database is one of the other mode; nothing of another schema is touched then
 */
export async function openKernelDatabase({ databaseUrl, log, isSandbox }: Deployment): Promise<Database> {
  const db = await openDatabase({
    url: databaseUrl,
    schema: 'kernel',
    entities: [],
    migrations: [
      ...IDEMPOTENCY_MIGRATIONS,
      { name: '0002-quiet-jobs', class: CreateQuietJobs },
      { name: '0004-database-mode', class: CreateDatabaseMode },
    ],
    poolSize: WORKER_CONCURRENCY + 4,
    log,
  })
  try {
    await claimDatabase(db.pool, isSandbox ? 'sandbox' : 'live')
    await migrateJobs(db.pool, log)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Starts the worker on the jobs of the subgraphs in this process. @returns what stops it */
export async function runJobs(
  kernel: Database,
  { local }: Subgraphs,
  { clock, log }: Deployment,
): Promise<() => Promise<void>> {
  const parts = Object.values(local)
  const worker = await startWorker({
    pool: kernel.pool,
    kinds: parts.flatMap(({ jobs }) => jobs),
    periodic: [
      ...parts.flatMap(({ periodic }) => periodic),
      { name: 'remove-old-idempotency-keys', cron: '*/10 * * * *', run: () => removeOldKeys(kernel.pool, clock) },
    ],
    concurrency: WORKER_CONCURRENCY,
    log,
  })
  return () => worker.stop()
}
