import type { Pool } from 'pg'

/** Who holds a lock holds a connection, and needs others for its work: locks together may take half of a pool. */
const holders = new WeakMap<Pool, { free: number; waiting: (() => void)[] }>()

/**
 * Runs `work` while no other process or request holds the same lock. The lock is a connection's: the database frees it at
 * once when the process dies, so whoever comes next can go on.
 * @returns undefined, without running `work`, where somebody else holds it
 */
export async function withAdvisoryLock<T>(
  pool: Pool,
  name: string,
  work: () => Promise<T>,
): Promise<{ result: T } | undefined> {
  const giveBack = await takeTurn(pool)
  try {
    return await lockAndWork(pool, name, work)
  } finally {
    giveBack()
  }
}

async function lockAndWork<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<{ result: T } | undefined> {
  const connection = await pool.connect()
  let broken: Error | undefined
  try {
    const { rows } = await connection.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
      [name],
    )
    if (!rows[0]?.locked) return undefined
    try {
      return { result: await work() }
    } finally {
      await connection.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch((error: unknown) => {
        broken = error as Error
      })
    }
  } finally {
    // A connection that could not give the lock back is closed, which gives it back.
    connection.release(broken)
  }
}

/** Waits for a turn, first come first served. Returns what gives it back. */
async function takeTurn(pool: Pool): Promise<() => void> {
  const turns = holders.get(pool) ?? { free: Math.max(1, Math.floor(pool.options.max / 2)), waiting: [] }
  holders.set(pool, turns)
  if (turns.free > 0) turns.free -= 1
  else await new Promise<void>((resolve) => turns.waiting.push(resolve))
  return () => {
    const next = turns.waiting.shift()
    if (next) next()
    else turns.free += 1
  }
}
