import { AUDIT_MIGRATIONS } from '../kernel/audit-command.js'
import { claimDatabase, CreateDatabaseMode } from '../kernel/database-mode.js'
import { openDatabase, type Database } from '../kernel/database.js'
import { IDEMPOTENCY_MIGRATIONS } from '../kernel/idempotency-migrations.js'
import { CreateQuietJobs, migrateJobs } from '../kernel/jobs.js'
import type { Deployment } from './deployment.js'
import { WORKER_CONCURRENCY } from './run-jobs.js'

/** All that becomes of the schema that all processes share, but for the jobs' own part. */
export const KERNEL_MIGRATIONS = [
  ...IDEMPOTENCY_MIGRATIONS,
  { name: '0002-quiet-jobs', class: CreateQuietJobs },
  { name: '0004-database-mode', class: CreateDatabaseMode },
  ...AUDIT_MIGRATIONS,
]

/**
 * Opens the schema that all processes share, for jobs and idempotency keys: migrates it, and claims the database for the
 * process's mode.
 * @throws Error with one clear line where the database is one of the other mode; nothing of another schema is touched then
 */
export async function openKernelDatabase({ databaseUrl, log, isSandbox }: Deployment): Promise<Database> {
  const db = await openDatabase({
    url: databaseUrl,
    schema: 'kernel',
    entities: [],
    migrations: KERNEL_MIGRATIONS,
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
