import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KERNEL_MIGRATIONS } from '../app/kernel-database.js'
import { openDatabase, type Database } from '../kernel/database.js'
import { migrateJobs } from '../kernel/jobs.js'
import { createLog } from '../kernel/log.js'
import { lockDataDir } from '../sandbox/processes/data-dir-lock.js'
import { startEmbeddedPostgres } from '../sandbox/processes/postgres.js'
import { openPaymentsDatabase } from '../subgraphs/payments/context.js'

/** Starts a PostgreSQL in a temporary folder, with the product's tables of payments and jobs. */
export async function openOwnDatabase(): Promise<{ db: Database; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-api-histories-'))
  const lock = await lockDataDir(folder)
  const log = createLog('warn')
  const postgres = await startEmbeddedPostgres({ lock, log, isDurable: false })
  const options = { url: postgres.databaseUrl, poolSize: 4, log }
  const kernel = await openDatabase({ ...options, schema: 'kernel', entities: [], migrations: KERNEL_MIGRATIONS })
  await migrateJobs(kernel.pool, log)
  await kernel.close()
  const db = await openPaymentsDatabase(options)
  return {
    db,
    close: async () => {
      await db.close()
      await postgres.stop()
      await lock.release()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
