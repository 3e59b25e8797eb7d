import { Client } from 'pg'
import { inject } from 'vitest'
import { KERNEL_MIGRATIONS } from '../../app/kernel-database.js'
import { openGatewayDatabase } from '../../gateway/rate-limit/store/database.js'
import { openDatabase, type Database } from '../../kernel/database.js'
import { migrateJobs } from '../../kernel/jobs.js'
import { createLog } from '../../kernel/log.js'
import { openAccountsDatabase } from '../../subgraphs/accounts/context.js'
import { openKycDatabase } from '../../subgraphs/kyc/context.js'
import { openOrdersDatabase } from '../../subgraphs/orders/context.js'
import { openPaymentsDatabase } from '../../subgraphs/payments/context.js'
import { openYieldDatabase } from '../../subgraphs/yield/context.js'
import { ending } from './at-end.js'
import { databaseAt, ownDatabase, query, type OwnDatabase } from './database.js'

/** Every table of the product, and no row. */
const TEMPLATE = 'migrated'

/** Arbitrary but fixed: processes of a run make the template one after the other, and only the first has to. */
const TEMPLATE_LOCK = 1_104_977

const log = createLog('silent')

/** Opens the schema that all processes share; nothing says yet whether it is of a sandbox. */
async function openKernel({ url }: { url: string }): Promise<Database> {
  const options = { url, schema: 'kernel', entities: [], migrations: KERNEL_MIGRATIONS, poolSize: 6, log }
  const kernel = await openDatabase(options)
  await migrateJobs(kernel.pool, log)
  return kernel
}

const SCHEMAS = [
  openKernel,
  openGatewayDatabase,
  openAccountsDatabase,
  openOrdersDatabase,
  openPaymentsDatabase,
  openKycDatabase,
  openYieldDatabase,
]

/**
 * A new database until the end, as the product leaves it after its first start: with all tables, and nothing in them. The
 * migrations run once for a run of the tests, not once for each file; `test/migration` is about them.
 */
export async function migratedDatabase(): Promise<OwnDatabase> {
  await ensureTemplate()
  return ownDatabase(TEMPLATE)
}

/** Such a database, with a connection to the schema that all subgraphs share: idempotency and jobs. */
export async function kernelDatabase(): Promise<{ url: string; kernel: Database }> {
  const { url } = await migratedDatabase()
  return { url, kernel: ending(await openKernel({ url })) }
}

let isThere = false

async function ensureTemplate(): Promise<void> {
  if (isThere) return
  const server = new Client({ connectionString: inject('databaseUrl') })
  await server.connect()
  try {
    await server.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await server.query('select 1 from pg_database where datname = $1', [TEMPLATE])
    if (rowCount === 0) await makeTemplate()
    isThere = true
  } finally {
    await server.end()
  }
}

/** It has its name last, so that none is taken for whole whose maker died. */
async function makeTemplate(): Promise<void> {
  const server = inject('databaseUrl')
  await query(server, 'drop database if exists migrating')
  await query(server, 'create database migrating')
  for (const open of SCHEMAS) {
    const db = await open({ url: databaseAt(server, 'migrating'), poolSize: 4, log })
    await db.close()
  }
  await query(server, `alter database migrating rename to ${TEMPLATE}`)
}
