import { describe, expect, it } from 'vitest'
import { ownPool, ownDatabase, query } from '../test/harness/database.js'
import { until } from '../test/harness/until.js'
import { LockLostError, withAdvisoryLock } from './advisory-lock.js'

const database = await ownDatabase()

/** A process, as far as its connections go. */
const newPool = () => ownPool(database.url, 4)
const cut = () =>
  query(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )

describe('work under a lock', () => {
  it('whose connection dies may not go on as the only one, and leaves no connection behind', async () => {
    const [one, two] = [newPool(), newPool()]
    const done: string[] = []
    const lost = withAdvisoryLock(one, 'treasury', async (lock) => {
      await lock.assertHeld()
      await cut()
      // Another process has the lock at once, and does the work.
      await until('another has the lock', () =>
        withAdvisoryLock(two, 'treasury', async (held) => {
          await held.assertHeld()
          done.push('two')
        }),
      )
      await lock.assertHeld()
      done.push('one')
    })
    await expect(lost).rejects.toThrow(LockLostError)
    expect(done).toEqual(['two'])
    expect(one.totalCount - one.idleCount).toBe(0)
    expect(await withAdvisoryLock(one, 'treasury', () => Promise.resolve('again'))).toEqual({ result: 'again' })
  })

  it('is not done by two at once', async () => {
    const [one, two] = [newPool(), newPool()]
    const held = await withAdvisoryLock(one, 'operator', () =>
      withAdvisoryLock(two, 'operator', () => Promise.resolve()),
    )
    expect(held).toEqual({ result: undefined })
  })

  it('waits for another as long as it is told, and takes over from it', async () => {
    const [one, two] = [newPool(), newPool()]
    const work = () => Promise.resolve('done')
    const [begun, end] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    const first = withAdvisoryLock(one, 'turn', () => {
      begun.resolve(undefined)
      return end.promise
    })
    await begun.promise
    expect(await withAdvisoryLock(two, 'turn', work, { waitMs: 1 })).toBeUndefined()
    const second = withAdvisoryLock(two, 'turn', work, { waitMs: 60_000 })
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted`
    await until('it waits', async () => (await query(database.url, waiting)).length > 0)
    end.resolve(undefined)
    await first
    expect(await second).toEqual({ result: 'done' })
    const { rows } = await two.query<{ lock_timeout: string }>('show lock_timeout')
    expect(rows).toEqual([{ lock_timeout: '0' }])
  })

  it('has all of several locks on one connection, or none of them', async () => {
    const [one, two] = [newPool(), newPool()]
    const done = () => Promise.resolve('done')
    await withAdvisoryLock(one, ['first', 'second'], async () => {
      expect(one.totalCount - one.idleCount).toBe(1)
      expect(await withAdvisoryLock(two, ['third', 'second'], done)).toBeUndefined()
      expect(await withAdvisoryLock(two, 'third', done)).toEqual({ result: 'done' })
    })
    expect(await withAdvisoryLock(two, ['second', 'first'], done)).toEqual({ result: 'done' })
  })

  it('takes several in one order, whatever the order in which they are named', async () => {
    const lost = withAdvisoryLock(newPool(), ['second', 'first'], async (lock) => {
      await cut()
      await lock.assertHeld()
    })
    await expect(lost).rejects.toThrow('the lock first, second was lost')
  })
})
