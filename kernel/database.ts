import { MikroORM, type EntityManager, type EntitySchema } from '@mikro-orm/postgresql'
import { Migrator, type Migration } from '@mikro-orm/migrations'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { Logger } from './log.js'

/** One subgraph's way to its own PostgreSQL schema. */
export interface Database {
  /** For the units of work whose rules are rich: fork it, never use it as it is. */
  orm: MikroORM
  /** MikroORM's own connections, for the hot reads and inserts that are named prepared statements. */
  pool: Pool
  close(): Promise<void>
}

/** A transaction under way, for those who only hand it on. */
export type Transaction = EntityManager

/** What a store needs to run one statement: the pool, or the connection of a transaction. */
export type Queryable = Pick<Pool | PoolClient, 'query'>

export interface DatabaseOptions {
  url: string
  /** The PostgreSQL schema that is this subgraph's alone. */
  schema: string
  entities: readonly EntitySchema[]
  migrations: readonly { name: string; class: new (...args: never[]) => Migration }[]
  poolSize: number
  log: Logger
}

/** Arbitrary but fixed: processes that start together migrate one after the other under this advisory lock. */
const MIGRATION_LOCK = 7_041_776

/**
 * Connects one subgraph to the database and brings its schema up to date.
 * @throws when the database cannot be reached or a migration fails; nothing is left half migrated
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, schema, log } = options
  const orm = await MikroORM.init({
    clientUrl: url,
    schema,
    entities: [...options.entities],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    pool: { min: 0, max: options.poolSize },
    // A pool that runs dry has to fail the request, not to hang it.
    driverOptions: { connectionTimeoutMillis: 10_000 },
    forceUtcTimezone: true,
    ignoreUndefinedInQuery: false,
    logger: (message) => {
      log.debug({ schema }, message)
    },
    migrations: {
      migrationsList: [...options.migrations] as never,
      tableName: 'migration',
      schema,
      snapshot: false,
      snapshotOnMigrate: false,
      silent: true,
    } as never,
  })
  const pool = (await orm.em.getConnection().getNativeClient()) as unknown as Pool
  // A connection that is cut fails the query that is on it; without a listener it would end the process too.
  pool.on('error', (error) => {
    log.warn({ schema, err: error }, 'an idle connection to the database was lost')
  })
  pool.on('connect', (client) => client.on('error', () => undefined))
  await migrate(orm, pool, schema)
  return { orm, pool, close: () => orm.close() }
}

async function migrate(orm: MikroORM, pool: Pool, schema: string): Promise<void> {
  const lock = await pool.connect()
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await lock.query(`create schema if not exists "${schema}"`)
    await orm.migrator.up()
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    lock.release()
  }
}

/**
 * Runs a unit of work in one transaction with an identity map of its own.
 * @returns what `work` returns, after the commit
 */
export function inTransaction<T>(db: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return db.orm.em.fork().transactional(work)
}

/** Runs one SQL statement on the connection of `em`'s transaction. Placeholders are `?`. */
export async function executeIn<Row>(em: EntityManager, sql: string, params: unknown[]): Promise<Row[]> {
  return em.getConnection().execute<Row[]>(sql, params, 'all', em.getTransactionContext())
}

/** A statement that every connection prepares once, under its name. */
export interface NamedStatement {
  name: string
  text: string
}

/** Runs a named prepared statement. Placeholders are `$1`, `$2`, …; timestamps come back as text. */
export async function run<Row extends QueryResultRow>(
  on: Queryable,
  statement: NamedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await on.query<Row>({ name: statement.name, text: statement.text, values: [...values] })
  return result.rows
}
