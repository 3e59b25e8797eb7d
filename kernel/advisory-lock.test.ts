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

  it('takes one connection of a pool for all that are held, however many and for however long', async () => {
    const pool = newPool()
    const end = Promise.withResolvers<undefined>()
    const begun: string[] = []
    const names = Array.from({ length: 300 }, (_, index) => `wire ${index}`)
    const held = names.map((name) =>
      withAdvisoryLock(pool, name, async () => {
        begun.push(name)
        await end.promise
      }),
    )
    await until('all have begun', () => begun.length === names.length)
    expect(pool.totalCount - pool.idleCount).toBe(1)
    const beside = await withAdvisoryLock(newPool(), ['wire 1', 'another'], () => Promise.resolve('done'))
    expect(beside).toBeUndefined()
    end.resolve(undefined)
    await Promise.all(held)
    expect(pool.totalCount - pool.idleCount).toBe(0)
    const left = `select 1 from pg_locks join pg_database on oid = database where locktype = 'advisory' and datname = current_database()`
    expect(await query(database.url, left)).toEqual([])
  })

  it('is not done twice at once in one process either, and nothing is left locked by who came too late', async () => {
    const [one, two] = [newPool(), newPool()]
    const done = () => Promise.resolve('done')
    await withAdvisoryLock(one, 'wire', async () => {
      expect(await withAdvisoryLock(one, ['other', 'wire'], done)).toBeUndefined()
      expect(await withAdvisoryLock(one, 'wire', done, { waitMs: 1 })).toBeUndefined()
      expect(await withAdvisoryLock(two, 'other', done)).toEqual({ result: 'done' })
      expect(await withAdvisoryLock(two, 'wire', done)).toBeUndefined()
    })
    expect(await withAdvisoryLock(two, 'wire', done)).toEqual({ result: 'done' })
  })

  it('is lost for all that were held where their connection dies, and what comes then is locked on another', async () => {
    const pool = newPool()
    const [cutNow, goOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    const lost = ['first', 'second'].map((name) =>
      withAdvisoryLock(pool, name, async (lock) => {
        cutNow.resolve(undefined)
        await goOn.promise
        await lock.assertHeld()
      }),
    )
    await cutNow.promise
    await cut()
    await until('the pool has closed it', () => pool.totalCount === 0)
    const after = withAdvisoryLock(pool, 'first', async (lock) => {
      goOn.resolve(undefined)
      await Promise.allSettled(lost)
      await lock.assertHeld()
      return 'done'
    })
    for (const one of lost) await expect(one).rejects.toThrow(LockLostError)
    expect(await after).toEqual({ result: 'done' })
  })
})
