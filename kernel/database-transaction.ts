import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import type { Pool, PoolClient } from 'pg'
import { cutConnection } from './watch-connection.js'

/**
 * Runs a unit of work in one transaction with an identity map of its own. Whatever becomes of it, its connection goes back
 * to the pool, or is closed where it could not be told to end the transaction: MikroORM's `transactional` drops the failure
 * of a rollback, and with it the connection, which the pool then counts as in use for ever.
 * @returns what `work` returns, after the commit
 * @throws what `work` or the database throws; an Error where the transaction could not be committed
 */
export async function runInTransaction<T>(
  { orm, pool }: { orm: MikroORM; pool: Pool },
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect()
  const context = new TransactionContext(connection)
  let isDone = false
  try {
    await connection.query('begin')
    const em = orm.em.fork()
    // MikroORM knows a transaction by what runs its statements, here on the connection that is ours.
    em.setTransactionContext(context as never)
    const result = await work(em)
    await em.flush()
    context.end()
    const { command } = await connection.query('commit')
    // PostgreSQL answers a commit after a failed statement with a rollback, and calls that no error.
    if (command !== 'COMMIT') throw new Error('a statement of the transaction had failed: it was rolled back')
    isDone = true
    return result
  } finally {
    context.end()
    releaseConnection(connection, isDone ? undefined : await rollBack(connection))
  }
}

/** Returns why the transaction could not be ended, undefined where it was. */
async function rollBack(connection: PoolClient): Promise<Error | undefined> {
  return connection.query('rollback').then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
}

/** Why a connection is ended that is not broken: nobody has to be told. */
export class EndedOnPurpose extends Error {
  override readonly name = 'EndedOnPurpose'
}

/** Gives a connection back; one that is broken is closed, which ends what it holds. */
export function releaseConnection(connection: PoolClient, broken: Error | undefined): void {
  // Before the pool ends it in the usual way: the server may not answer, and requests that wait for a connection would wait too.
  if (broken) cutConnection(connection, broken)
  connection.release(broken)
}

/** What MikroORM runs the statements of a transaction on, in the form of Kysely. */
export class TransactionContext {
  #isOver = false
  readonly #connection: PoolClient

  constructor(connection: PoolClient) {
    this.#connection = connection
  }

  /** From here on the connection is not this transaction's: work that went on behind its back must not run on it. */
  end(): void {
    this.#isOver = true
  }

  /** For statements that MikroORM does not write. Throws once the transaction is over. */
  get connection(): PoolClient {
    if (this.#isOver) throw new Error('the transaction is over')
    return this.#connection
  }

  async executeQuery({ sql, parameters }: { sql: string; parameters: readonly unknown[] }): Promise<object> {
    const { rows, rowCount } = await this.connection.query(sql, [...parameters])
    return { rows, numAffectedRows: rowCount === null ? undefined : BigInt(rowCount) }
  }
}
