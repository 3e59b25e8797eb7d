import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownDatabase, query } from '../test/harness/database.js'
import { startPgProxy } from '../test/harness/pg-proxy.js'
import { until } from '../test/harness/until.js'
import { executeIn, inTransaction, openDatabase, type Database } from './database.js'
import { createLog } from './log.js'

const POOL_SIZE = 3
/** Of a statement and of an answer: what the tests wait for at most. */
const TIMEOUTS = { statementMs: 400, answerMs: 600 }

let db: Database
const database = await ownDatabase()
const proxy = await startPgProxy(database.url)
async function open(): Promise<void> {
  db = await openDatabase({
    url: proxy.url,
    schema: 'kernel',
    entities: [],
    migrations: [],
    poolSize: POOL_SIZE,
    log: createLog('silent'),
    timeouts: TIMEOUTS,
  })
}
beforeEach(async () => {
  await open()
  await db.pool.query('create table if not exists kernel.item (name text)')
  await db.pool.query('truncate kernel.item')
})
afterEach(async () => {
  proxy.onStatement = () => 'pass'
  proxy.onReply = () => 'pass'
  await db.close()
})

const add = (name: string) =>
  inTransaction(db, async (em) => {
    await executeIn(em, 'insert into kernel.item values (?)', [name])
    return name
  })
const names = async () =>
  (await query(database.url, 'select name from kernel.item order by name')).map((row) => row['name'])
const inUse = () => db.pool.totalCount - db.pool.idleCount

describe('a transaction', () => {
  it.each(['begin', 'insert into kernel.item', 'commit', 'rollback'])(
    'whose connection is cut at its "%s" gives it back, however often',
    async (step) => {
      for (let round = 0; round < POOL_SIZE + 1; round += 1) {
        proxy.onStatement = (text) => {
          if (!text.startsWith(step)) return 'pass'
          proxy.cut()
          return 'stop'
        }
        await expect(step === 'rollback' ? failing() : add('lost')).rejects.toThrow()
        proxy.onStatement = () => 'pass'
      }
      await until('nothing is in use', () => inUse() === 0)
      expect(await add('kept')).toBe('kept')
      expect(await names()).toEqual(['kept'])
    },
  )

  const failing = () =>
    inTransaction(db, async (em) => {
      await executeIn(em, 'insert into kernel.item values (?)', ['undone'])
      throw new Error('refused')
    })

  it('on a connection that nothing comes back on fails, and gives it back', async () => {
    proxy.onStatement = (text) => (text.startsWith('insert into kernel.item') ? 'stop' : 'pass')
    await expect(add('lost')).rejects.toThrow('did not answer')
    proxy.onStatement = () => 'pass'
    await until('nothing is in use', () => inUse() === 0)
    expect(await add('kept')).toBe('kept')
  })

  it('in which a statement has failed is no success, though its failure was overlooked', async () => {
    const overlooked = inTransaction(db, async (em) => {
      await executeIn(em, 'insert into kernel.item values (?)', ['undone'])
      await executeIn(em, 'select 1 / 0', []).catch(() => undefined)
    })
    await expect(overlooked).rejects.toThrow('rolled back')
    expect(await names()).toEqual([])
  })

  it('that is over takes no statement of work that went on', async () => {
    const late = Promise.withResolvers<undefined>()
    let straggler: Promise<unknown> | undefined
    await expect(
      inTransaction(db, (em) => {
        straggler = late.promise.then(() => executeIn(em, 'insert into kernel.item values (?)', ['stray']))
        straggler.catch(() => undefined)
        return Promise.reject(new Error('refused'))
      }),
    ).rejects.toThrow('refused')
    late.resolve(undefined)
    await expect(straggler).rejects.toThrow('is over')
    expect(await names()).toEqual([])
  })
})

describe('a database', () => {
  it('that does not answer is not reachable, and is again once it answers', async () => {
    expect(await db.isReachable()).toBe(true)
    proxy.onStatement = () => 'stop'
    expect(await db.isReachable()).toBe(false)
    proxy.onStatement = () => 'pass'
    await until('it is reachable', () => db.isReachable())
  })

  it('whose pool is dry is not reachable', async () => {
    const open = Promise.withResolvers<undefined>()
    const held = Array.from({ length: POOL_SIZE }, () => inTransaction(db, () => open.promise))
    expect(await db.isReachable()).toBe(false)
    open.resolve(undefined)
    await Promise.all(held)
    expect(await db.isReachable()).toBe(true)
  })

  it('ends a statement that takes too long', async () => {
    await expect(db.pool.query('select pg_sleep(20)')).rejects.toMatchObject({ code: '57014' })
    expect(inUse()).toBe(0)
  })

  it('closes though it does not answer any more', async () => {
    const reached = Promise.withResolvers<undefined>()
    proxy.onStatement = () => {
      reached.resolve(undefined)
      return 'stop'
    }
    const asked = db.pool.query('select 1').catch((error: unknown) => error)
    await reached.promise
    await db.close()
    expect(await asked).toBeInstanceOf(Error)
    proxy.onStatement = () => 'pass'
    await open()
  })

  it('asks its server to look after silent connections', async () => {
    const asked = await db.pool.query(
      `select name, setting from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout')`,
    )
    expect(asked.rows).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '10000' },
      { name: 'statement_timeout', setting: '400' },
    ])
  })
})
