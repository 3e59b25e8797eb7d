import type { Pool, PoolClient } from 'pg'
import { releaseConnection } from './database-transaction.js'
import { withLocks } from './lock-connection.js'

/** Who waits for another process has a connection, and its work needs more of them: all who wait together may take half of a pool. */
const holders = new WeakMap<Pool, { free: number; waiting: (() => void)[] }>()

/** A lock while it is held. */
export interface HeldLock {
  /**
   * To be called before each step that cannot be taken back. The lock is gone with its connection, and this process may
   * learn of that late: it may have been frozen, or the network was. So this asks the connection.
   * @throws LockLostError
   */
  assertHeld(): Promise<void>
}

/** How a lock is taken. */
interface LockOptions {
  /**
   * How long another one may hold it before this gives up; at once where left out. Of a process only few may wait, and never for what a
   * tenant asks: each has a connection.
   */
  waitMs?: number
}

/** Another process may hold the lock by now, and do the work. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError'
  constructor(lockName: string, cause: unknown) {
    super(`the lock ${lockName} was lost with its connection`, { cause })
  }
}

/**
 * Runs `work` while no other process or request holds the same lock, or any of the same locks: it takes all of them or none. The lock is a
 * connection's, which a process has for all its locks: the database frees them at once when the process dies, so the next one gets them. A
 * lock is held for as long as its work likes, then, and keeps nobody from another. What `work` writes must not depend on the lock alone: it
 * is lost where the connection is, while `work` still runs.
 * @returns undefined, without running `work`, where another one holds it, and has not given it back in time
 * @throws what `work` or the database throws
 */
export async function withAdvisoryLock<T>(
  pool: Pool,
  name: string | readonly string[],
  work: (lock: HeldLock) => Promise<T>,
  { waitMs = 0 }: LockOptions = {},
): Promise<{ result: T } | undefined> {
  // In one order, whatever the settings': two that each have one lock would both give up, again and again.
  const names = [name].flat().toSorted()
  const done = await takeAndWork(pool, names, work)
  return done ?? (waitMs > 0 ? waitAndWork(pool, names, work, waitMs) : undefined)
}

function takeAndWork<T>(
  pool: Pool,
  names: readonly string[],
  work: (lock: HeldLock) => Promise<T>,
): Promise<{ result: T } | undefined> {
  return withLocks(pool, async (locks) => {
    if (!(await locks.take(names))) return undefined
    try {
      return { result: await work(heldLock(names, () => locks.assertAlive())) }
    } finally {
      // Where that fails their connection is closed, which frees them.
      await locks.giveBack(names).catch(() => undefined)
    }
  })
}

async function waitAndWork<T>(
  pool: Pool,
  names: readonly string[],
  work: (lock: HeldLock) => Promise<T>,
  waitMs: number,
): Promise<{ result: T } | undefined> {
  const releaseSlot = await acquireSlot(pool)
  try {
    return await lockAndWork(pool, names, work, waitMs)
  } finally {
    releaseSlot()
  }
}

/** On a connection of its own, as a connection can do nothing else while it waits. */
async function lockAndWork<T>(
  pool: Pool,
  names: readonly string[],
  work: (lock: HeldLock) => Promise<T>,
  waitMs: number,
): Promise<{ result: T } | undefined> {
  const connection = await pool.connect()
  let broken: Error | undefined
  const tell = <R>(asked: Promise<R>): Promise<R> =>
    asked.catch((error: unknown) => {
      broken = error as Error
      throw error
    })
  const held: string[] = []
  try {
    for (const name of names) {
      if (!(await tell(isTaken(connection, name, waitMs)))) return undefined
      held.push(name)
    }
    return { result: await work(heldLock(names, () => connection.query('select 1'))) }
  } finally {
    for (const name of held) await tell(connection.query(UNLOCK, [name])).catch(() => undefined)
    // Where unlocking failed the connection is closed, which frees the lock.
    releaseConnection(connection, broken)
  }
}

async function isTaken(connection: PoolClient, name: string, waitMs: number): Promise<boolean> {
  // Of the connection, until it is given back: what waits in a transaction of others is not to be cut short.
  await connection.query(`select set_config('lock_timeout', $1, false)`, [String(waitMs)])
  try {
    await connection.query(WAIT, [name])
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false
    throw error
  } finally {
    await connection.query(`select set_config('lock_timeout', '0', false)`)
  }
}

/** PostgreSQL's code of a wait for a lock that took too long. */
const LOCK_NOT_AVAILABLE = '55P03'
const WAIT = 'select pg_advisory_lock(hashtextextended($1, 0))'
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))'

/** @param look asks the connection that the lock is on */
function heldLock(names: readonly string[], look: () => Promise<unknown>): HeldLock {
  return {
    assertHeld: async () => {
      await look().catch((error: unknown) => {
        throw new LockLostError(names.join(', '), error)
      })
    },
  }
}

/** Waits for a slot, first come first served. Returns what releases it. */
async function acquireSlot(pool: Pool): Promise<() => void> {
  const slots = holders.get(pool) ?? { free: Math.max(1, Math.floor(pool.options.max / 2)), waiting: [] }
  holders.set(pool, slots)
  if (slots.free > 0) slots.free -= 1
  else await new Promise<void>((resolve) => slots.waiting.push(resolve))
  return () => {
    const next = slots.waiting.shift()
    if (next) next()
    else slots.free += 1
  }
}
