import { MikroORM, type EntityManager, type EntitySchema } from '@mikro-orm/postgresql'
import { Migrator } from '@mikro-orm/migrations'
import type { Pool, PoolClient, PoolConfig, QueryResultRow } from 'pg'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from './log.js'
import { EndedOnPurpose, runInTransaction, TransactionContext } from './database-transaction.js'
import { prepareMigrations, type LockWaits, type SchemaMigration } from './migrate.js'
import { traceStatements } from './trace-statements.js'
import { areSpansSent } from './tracing.js'
import { cutConnection, watchConnection, type AnswerLimit } from './watch-connection.js'

/** One subgraph's way to its own PostgreSQL schema. */
export interface Database {
  /** For the units of work whose rules are rich: fork it, never use it as it is. */
  orm: MikroORM
  /** MikroORM's own connections, for the hot reads and inserts that are named prepared statements. */
  pool: Pool
  /** Whether the pool has a connection, and the database answers on it, within a second. Never rejects. */
  isReachable(): Promise<boolean>
  /** Ends all connections; those in use after a second are cut. */
  close(): Promise<void>
}

/** A transaction under way, for code that only passes it on. */
export type Transaction = EntityManager

/** What a store needs to run one statement: the pool, or the connection of a transaction. */
export type Queryable = Pick<Pool | PoolClient, 'query'>

export interface DatabaseOptions {
  url: string
  /** The PostgreSQL schema that is this subgraph's alone. */
  schema: string
  entities: readonly EntitySchema[]
  migrations: readonly SchemaMigration[]
  poolSize: number
  log: Logger
  /** Tests shorten it, and a command line that reads everything has more. */
  timeouts?: DatabaseTimeouts
  /** Tests shorten it. */
  lockWaits?: LockWaits
}

/** How long the database may take, in milliseconds. */
export interface DatabaseTimeouts {
  /** For one statement, a lock that it waits for included; the database ends it then. */
  statementMs: number
  /** For any answer; the connection is cut then. Longer, so that a database that lives has the first word. */
  answerMs: number
}

const TIMEOUTS: DatabaseTimeouts = { statementMs: 10_000, answerMs: 12_000 }

/** For a connection out of the pool; a pool that runs dry has to fail the request, not to hang it. */
const CONNECT_MS = 10_000

/** A process that was frozen in a transaction holds its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 10_000

/** How long a probe waits, and a stop for the connections that are in use. */
const PROBE_MS = 1_000
const CLOSE_MS = 1_000

/** A network may forget a connection without a sign: both ends probe it once it was silent for this long. */
const KEEP_ALIVE_SECONDS = 5

/** So the database too learns in some ten seconds that a machine is gone, and frees the locks of its connections. */
const SERVER_KEEP_ALIVE = [
  `-c tcp_keepalives_idle=${KEEP_ALIVE_SECONDS}`,
  '-c tcp_keepalives_interval=2',
  '-c tcp_keepalives_count=3',
].join(' ')

/**
 * Connects one subgraph to the database and brings its schema up to date.
 * @throws when the database cannot be reached or a migration fails, or a lock for it is not to be had for minutes; no migration is left half done
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, schema, log, timeouts = TIMEOUTS } = options
  const limit: AnswerLimit = { answerMs: 0 }
  const migrations = prepareMigrations(options.migrations, { schema, log, waits: options.lockWaits })
  const orm = await MikroORM.init({
    clientUrl: url,
    schema,
    entities: [...options.entities],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    pool: { min: 0, max: options.poolSize },
    driverOptions: connectionOptions(timeouts),
    forceUtcTimezone: true,
    ignoreUndefinedInQuery: false,
    logger: (message) => {
      log.debug({ schema }, message)
    },
    migrations: {
      migrationsList: migrations.migrationsList,
      // Each in a transaction of its own: what one has locked is free before the next waits for a lock.
      allOrNothing: false,
      tableName: 'migration',
      schema,
      snapshot: false,
      snapshotOnMigrate: false,
      silent: true,
    } as never,
  })
  const pool = (await orm.em.getConnection().getNativeClient()) as unknown as Pool
  const connections = new Set<PoolClient>()
  // A connection that is cut fails the query that is on it; without a listener it would end the process too.
  pool.on('error', (error) => {
    // A pool that ends does not wait for its connections: the database may be stopped before it has read that they end.
    if (!pool.ending && !(error instanceof EndedOnPurpose))
      log.warn({ schema, err: error }, 'an idle connection to the database was lost')
  })
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    connections.add(client)
    watchConnection(client, limit)
  })
  if (areSpansSent()) traceStatements(pool)
  pool.on('remove', (client) => connections.delete(client as PoolClient))
  await migrations.run(orm, pool)
  limit.answerMs = timeouts.answerMs
  return { orm, pool, isReachable: probeOf(pool), close: () => closeWithin(orm, connections) }
}

function connectionOptions({ statementMs }: DatabaseTimeouts): PoolConfig {
  return {
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000,
    options: SERVER_KEEP_ALIVE,
  }
}

/** One question at a time: a pool that is dry must not be asked more with each probe. */
function probeOf(pool: Pool): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined
  return () => {
    asked ??= pool
      .query('select 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asked = undefined
      })
    return Promise.race([asked, delay(PROBE_MS, false, { ref: false })])
  }
}

async function closeWithin(orm: MikroORM, connections: ReadonlySet<PoolClient>): Promise<void> {
  const closed = orm.close()
  const isClosed = await Promise.race([closed.then(() => true), delay(CLOSE_MS, false, { ref: false })])
  if (isClosed) return
  for (const connection of connections) cutConnection(connection, new Error('the process stops'))
  await Promise.race([closed, delay(CLOSE_MS, undefined, { ref: false })])
}

/**
 * Runs a unit of work in one transaction with an identity map of its own.
 * @returns what `work` returns, after the commit
 */
export function inTransaction<T>(db: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return runInTransaction(db, work)
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

/** As `run`, on the connection of `em`'s transaction; on any connection where `em` has none. */
export async function runIn<Row extends QueryResultRow>(
  em: EntityManager,
  statement: NamedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const context: unknown = em.getTransactionContext()
  if (context instanceof TransactionContext) return run<Row>(context.connection, statement, values)
  return run<Row>((await em.getConnection().getNativeClient()) as unknown as Pool, statement, values)
}
