import type { Pool, PoolClient } from 'pg'
import { batcher } from './batcher.js'
import { releaseConnection } from './database-transaction.js'

/** Locks of a process in one database, which are all gone where their connection is. */
export interface Locks {
  /** Takes all of them or none: another process, or work of this one, may have one. */
  take(names: readonly string[]): Promise<boolean>
  giveBack(names: readonly string[]): Promise<void>
  /** @throws where the connection is gone, and with it all that was taken here */
  assertAlive(): Promise<void>
}

/** A connection that is open while anybody has locks on it, or is about to. */
interface LockConnection {
  locks: Locks
  users: number
  close: () => Promise<void>
}

interface Step {
  kind: keyof typeof STATEMENTS
  name: string
}

const EACH = 'from unnest($1::text[]) with ordinality as step (name, place) order by place'
const STATEMENTS = {
  take: `select pg_try_advisory_lock(hashtextextended(name, 0)) as done ${EACH}`,
  giveBack: `select pg_advisory_unlock(hashtextextended(name, 0)) as done ${EACH}`,
  look: `select true as done ${EACH}`,
}

const open = new WeakMap<Pool, LockConnection>()

/**
 * Runs work with the connection that all locks of a pool share: however many are held, and for however long, they take one connection of
 * the pool. Where it is lost all of them are, and what is taken after that is taken on another.
 */
export async function withLocks<T>(pool: Pool, work: (locks: Locks) => Promise<T>): Promise<T> {
  const shared = open.get(pool) ?? openFor(pool)
  shared.users += 1
  try {
    return await work(shared.locks)
  } finally {
    shared.users -= 1
    if (shared.users === 0) await shared.close()
  }
}

function openFor(pool: Pool): LockConnection {
  const connecting = pool.connect()
  let broken: Error | undefined
  const forget = (): void => {
    if (open.get(pool) === shared) open.delete(pool)
  }
  const lose = (connection: PoolClient, error: Error): void => {
    if (broken) return
    broken = error
    forget()
    releaseConnection(connection, error)
  }
  const onEnd = (): void =>
    void connecting.then((connection) => lose(connection, new Error('the connection of locks ended')))
  connecting.then((connection) => connection.once('end', onEnd), forget)
  // What a statement that failed has taken nobody knows: closing its connection frees that.
  const run = async (steps: readonly Step[]): Promise<boolean[]> => {
    const connection = await connecting
    if (broken) throw broken
    try {
      return await runAll(connection, steps)
    } catch (error) {
      lose(connection, error as Error)
      throw error
    }
  }
  const shared: LockConnection = {
    locks: locksOn(batcher(run, undefined, 1)),
    users: 0,
    close: async () => {
      forget()
      const connection = await connecting.catch(() => undefined)
      connection?.off('end', onEnd)
      if (connection && !broken) releaseConnection(connection, undefined)
    },
  }
  open.set(pool, shared)
  return shared
}

/** Those of a kind together. */
async function runAll(connection: PoolClient, steps: readonly Step[]): Promise<boolean[]> {
  const done = new Map<Step, boolean>()
  for (const kind of ['giveBack', 'take', 'look'] as const) {
    const alike = steps.filter((step) => step.kind === kind)
    if (alike.length === 0) continue
    const { rows } = await connection.query<{ done: boolean }>(STATEMENTS[kind], [alike.map(({ name }) => name)])
    for (const [index, step] of alike.entries()) done.set(step, rows[index]?.done === true)
  }
  return steps.map((step) => done.get(step) === true)
}

function locksOn(run: (step: Step) => Promise<boolean>): Locks {
  /** Those that are held or asked for. To PostgreSQL they are one session's, which may take a lock that it has once more. */
  const own = new Set<string>()
  const giveBack = async (names: readonly string[]): Promise<void> => {
    await Promise.all(names.map((name) => run({ kind: 'giveBack', name })))
    for (const name of names) own.delete(name)
  }
  return {
    take: async (names) => {
      if (names.some((name) => own.has(name))) return false
      for (const name of names) own.add(name)
      const taken: string[] = []
      for (const name of names) {
        if (!(await run({ kind: 'take', name }))) break
        taken.push(name)
      }
      if (taken.length === names.length) return true
      await giveBack(taken)
      for (const name of names) own.delete(name)
      return false
    },
    giveBack,
    assertAlive: async () => void (await run({ kind: 'look', name: '' })),
  }
}
