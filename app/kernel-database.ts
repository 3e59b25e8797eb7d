import { AUDIT_MIGRATIONS } from '../kernel/audit-command.js'
import { BUILT_FILE_MIGRATIONS } from '../kernel/built-files.js'
import { claimDatabase, createDatabaseMode } from '../kernel/database-mode.js'
import { openDatabase, type Database } from '../kernel/database.js'
import { IDEMPOTENCY_MIGRATIONS } from '../kernel/idempotency-migrations.js'
import { JOB_MIGRATIONS } from '../kernel/job-functions.js'
import { migrateJobs } from '../kernel/jobs.js'
import { PROVIDER_HEALTH_MIGRATIONS } from '../kernel/provider-health/migrations.js'
import type { Deployment } from './deployment.js'
import { WORKER_CONCURRENCY } from './run-jobs.js'

/** All that becomes of the schema that all processes share, but for the jobs' own part. */
export const KERNEL_MIGRATIONS = [
  ...IDEMPOTENCY_MIGRATIONS,
  ...JOB_MIGRATIONS,
  { name: '0004-database-mode', statements: createDatabaseMode },
  ...AUDIT_MIGRATIONS,
  ...PROVIDER_HEALTH_MIGRATIONS,
  ...BUILT_FILE_MIGRATIONS,
]

/** What says that a database is not there, or does not let this program in. */
const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '28P01',
  '3D000',
]

/**
 * Opens the schema that all processes share, for jobs and idempotency keys: migrates it, and claims the database for the
 * process's mode.
 * @throws Error with one clear line where the database is one of the other mode; nothing of another schema is touched then,
 *   or where it cannot be reached
 */
export async function openKernelDatabase({ databaseUrl, log, isSandbox }: Deployment): Promise<Database> {
  const db = await openDatabase({
    url: databaseUrl,
    schema: 'kernel',
    entities: [],
    migrations: KERNEL_MIGRATIONS,
    poolSize: WORKER_CONCURRENCY + 4,
    log,
  }).catch((error: unknown) => {
    throw unreachable(error)
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

/** The failure with the name of the setting to look at. The address is left out, as it holds a password. */
function unreachable(error: unknown): unknown {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !UNREACHABLE.includes(code)) return error
  return new Error(`the database of DATABASE_URL cannot be reached (${code})`, { cause: error })
}
