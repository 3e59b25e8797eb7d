import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Database } from '../../kernel/database.js'
import { IDEMPOTENCY_MIGRATIONS } from '../../kernel/idempotency-migrations.js'
import { CreateQuietJobs, migrateJobs } from '../../kernel/jobs.js'
import { createLog, type Logger } from '../../kernel/log.js'
import { atEnd, ending } from './at-end.js'

/** A new, empty database in the run's PostgreSQL, until the end. @returns its address and what removes it earlier */
export async function ownDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = async (): Promise<void> => void (await query(server, `drop database if exists ${name} with (force)`))
  atEnd(drop)
  return { url: url.href, drop }
}

/** A new database with the tables that all subgraphs share: idempotency and jobs. */
export async function kernelDatabase(log: Logger = createLog('silent')): Promise<{ url: string; kernel: Database }> {
  const { url } = await ownDatabase()
  const migrations = [...IDEMPOTENCY_MIGRATIONS, { name: '0002-quiet-jobs', class: CreateQuietJobs }]
  const kernel = ending(await openDatabase({ url, schema: 'kernel', entities: [], migrations, poolSize: 6, log }))
  await migrateJobs(kernel.pool, log)
  return { url, kernel }
}

/** A pool of a process's own, until the end. What cuts its connections brings nothing down. */
export function ownPool(url: string, max: number): Pool {
  const pool = new Pool({ connectionString: url, max })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  atEnd(() => pool.end())
  return pool
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows
  } finally {
    await client.end()
  }
}
