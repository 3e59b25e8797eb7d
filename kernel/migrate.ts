import type { MikroORM } from '@mikro-orm/postgresql'
import { Migration } from '@mikro-orm/migrations'
import type { Pool, PoolClient } from 'pg'
import { setTimeout as delay } from 'node:timers/promises'
import { EndedOnPurpose, releaseConnection } from './database-transaction.js'
import type { Logger } from './log.js'

/** One change of a schema. One that was released is never changed. */
export interface SchemaMigration {
  name: string
  /** In the order in which they run, in one transaction unless `isConcurrent`. */
  statements: readonly string[]
  /**
   * Each statement runs by itself, and all of them again where one has failed: see `buildIndex`. What holds no table up may wait for long,
   * as PostgreSQL does there for every transaction under way.
   */
  isConcurrent?: boolean
}

/** How long a migration may wait for locks, in milliseconds. */
export interface LockWaits {
  /** For one lock. All who want the table meanwhile wait behind it, however little they want of it. */
  lockMs: number
  /** Between two tries, at least; at most twice as long. Those who wait for the table go on meanwhile. */
  pauseMs: number
  /** In all, from the first try on: then the process does not start. */
  maxMs: number
}

export const LOCK_WAITS: LockWaits = { lockMs: 2_000, pauseMs: 3_000, maxMs: 600_000 }

/** Arbitrary but fixed: processes that start together migrate one after the other under this advisory lock. */
const MIGRATION_LOCK = 7_041_776
/** How often a process asks for that. It does not wait in the database: who builds an index would wait for its statement to end. */
const ASK_AGAIN_MS = 50

/** The time for a lock is over; or two have waited for each other. */
const LOCKED: ReadonlySet<unknown> = new Set(['55P03', '40P01'])

/**
 * The statements of a concurrent migration that builds an index while its table is read and written. A build that fails leaves an index that is
 * not valid, under its name: it is removed first.
 * @param definition what follows the name: `on … (…)`
 */
export function buildIndex(schema: string, name: string, definition: string): readonly string[] {
  return [`drop index concurrently if exists ${schema}.${name}`, `create index concurrently ${name} ${definition}`]
}

/** Migrations as the ORM takes them, and what runs them. */
export interface PreparedMigrations {
  migrationsList: { name: string; class: new (...given: ConstructorParameters<typeof Migration>) => Migration }[]
  /**
   * Brings the schema up to date, one migration after the other: each is there as a whole or not at all. One that waits for a lock for
   * too long is given up, so that the table is free, and tried again.
   * @throws when a migration fails, or its lock was not to be had in time
   */
  run: (orm: MikroORM, pool: Pool) => Promise<void>
}

/** @param schema where the migrations are written down */
export function prepareMigrations(
  migrations: readonly SchemaMigration[],
  { schema, log, waits = LOCK_WAITS }: { schema: string; log: Logger; waits?: LockWaits | undefined },
): PreparedMigrations {
  const concurrent = new Map(
    migrations.flatMap((one) => (one.isConcurrent === true ? [[one.name, one.statements]] : [])),
  )
  const runOnce = async (orm: MikroORM, pool: Pool): Promise<void> => {
    const lock = await pool.connect()
    try {
      await lock.query('set statement_timeout = 0')
      await lock.query(`set lock_timeout = ${waits.maxMs}`)
      await takeLock(lock)
      await lock.query(`create schema if not exists "${schema}"`)
      let together: string[] = []
      for (const { name } of await orm.migrator.getPending()) {
        const statements = concurrent.get(name)
        if (statements) {
          await orm.migrator.up({ migrations: together })
          together = []
          // On the connection that has the advisory lock: the database then sees where it waits for somebody who waits for that lock.
          for (const statement of statements) await lock.query(statement)
        }
        together.push(name)
      }
      await orm.migrator.up({ migrations: together })
    } finally {
      // Its end frees the lock, whatever has become of it.
      releaseConnection(lock, new EndedOnPurpose('the schema is up to date'))
    }
  }
  return {
    migrationsList: migrations.map(({ name, statements }) => ({
      name,
      // What has run by itself is written down alone: where the process ends before that, it runs again.
      class: migrationOf(concurrent.has(name) ? [] : statements, waits.lockMs),
    })),
    run: (orm, pool) => againWhileLocked(() => runOnce(orm, pool), waits, log.child({ schema })),
  }
}

/**
 * Runs a migration until nothing holds it up.
 * @throws what it throws, a lock that it does not get only after `maxMs`
 */
export async function againWhileLocked(
  migrate: () => Promise<void>,
  { pauseMs, maxMs }: LockWaits,
  log: Logger,
): Promise<void> {
  const startMs = performance.now()
  for (;;) {
    try {
      await migrate()
      return
    } catch (error) {
      const waitedMs = Math.round(performance.now() - startMs)
      if (!isLocked(error) || waitedMs >= maxMs) throw error
      log.warn({ err: error, waitedMs }, 'a migration waits for a lock, and is tried again')
      await delay(pauseMs * (1 + Math.random()))
    }
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && (LOCKED.has((error as { code?: unknown }).code) || isLocked(error.cause))
}

async function takeLock(connection: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.taken === true) return
    await delay(ASK_AGAIN_MS)
  }
}

/** The ORM takes classes. A migration may take as long as it needs, once it has its locks. */
function migrationOf(
  statements: readonly string[],
  lockMs: number,
): new (...given: ConstructorParameters<typeof Migration>) => Migration {
  const limits = ['set local statement_timeout = 0', `set local lock_timeout = ${lockMs}`]
  return class extends Migration {
    override up(): void {
      for (const statement of [...limits, ...statements]) this.addSql(statement)
    }
  }
}
