import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownDatabase } from '../test/support/own-database.js'
import { adjustableClock } from './clock.js'
import { inTransaction, openDatabase, type Database } from './database.js'
import { IDEMPOTENCY_MIGRATIONS } from './idempotency-migrations.js'
import { idempotently, idempotentlyAnswered } from './idempotency.js'
import { createLog } from './log.js'
import type { Tenant } from './tenant.js'

/** Longer than a request may hold its key without an answer. */
const LEASE_OVER_MS = 61_000

const clock = adjustableClock()
let database: Awaited<ReturnType<typeof ownDatabase>>
let db: Database
beforeAll(async () => {
  database = await ownDatabase()
  db = await openDatabase({
    url: database.url,
    schema: 'kernel',
    entities: [],
    migrations: IDEMPOTENCY_MIGRATIONS,
    poolSize: 4,
    log: createLog('silent'),
  })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const tenantWith = (key: string): Tenant => ({
  id: 'tenant',
  products: [],
  requestId: 'test',
  idempotency: { key, fingerprint: 'the same', onReplay: () => undefined },
})

/** A request under a key, and how its work ends; `answered` is what the caller gets. */
async function begin(key: string): Promise<{
  succeed: (word: string) => void
  fail: () => void
  answered: Promise<{ word: string }>
}> {
  const started = Promise.withResolvers<undefined>()
  const work = Promise.withResolvers<{ word: string }>()
  const answered = idempotentlyAnswered({ pool: db.pool, clock }, tenantWith(key), () => {
    started.resolve(undefined)
    return work.promise
  })
  answered.catch(() => undefined)
  await Promise.race([started.promise, answered])
  return {
    succeed: (word) => {
      work.resolve({ word })
    },
    fail: () => {
      work.reject(new Error('failed late'))
    },
    answered,
  }
}

describe('a request that has outlived its lease', () => {
  it('and fails, does not free the key of the request that has it now', async () => {
    const key = randomUUID()
    const slow = await begin(key)
    clock.advance(LEASE_OVER_MS)
    const next = await begin(key)
    slow.fail()
    await expect(slow.answered).rejects.toThrow('failed late')
    await expect(begin(key)).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    next.succeed('next')
    expect(await next.answered).toEqual({ word: 'next' })
    expect(await (await begin(key)).answered).toEqual({ word: 'next' })
  })

  it('and succeeds, does not answer for the request that has it now', async () => {
    const key = randomUUID()
    const slow = await begin(key)
    clock.advance(LEASE_OVER_MS)
    const next = await begin(key)
    slow.succeed('slow')
    await slow.answered
    await expect(begin(key)).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    next.succeed('next')
    await next.answered
    expect(await (await begin(key)).answered).toEqual({ word: 'next' })
  })

  it('leaves no change behind, where its answer is part of it', async () => {
    const key = randomUUID()
    await db.pool.query('create table if not exists kernel.change (by text)')
    let next: Awaited<ReturnType<typeof begin>> | undefined
    const late = idempotently<{ word: string }>({ pool: db.pool, clock }, tenantWith(key), async (complete) => {
      clock.advance(LEASE_OVER_MS)
      next = await begin(key)
      await inTransaction(db, async (em) => {
        await em
          .getConnection()
          .execute(`insert into kernel.change values ('late')`, [], 'run', em.getTransactionContext())
        await complete(em, { word: 'late' })
      })
      return { word: 'late' }
    })
    await expect(late).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    expect((await db.pool.query('select * from kernel.change')).rows).toEqual([])
    next?.succeed('next')
    expect(await next?.answered).toEqual({ word: 'next' })
  })
})
