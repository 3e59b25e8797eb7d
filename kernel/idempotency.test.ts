import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { ownDatabase } from '../test/harness/database.js'
import { until } from '../test/harness/until.js'
import { adjustableClock } from './clock.js'
import { executeIn, inTransaction, openDatabase } from './database.js'
import { IDEMPOTENCY_MIGRATIONS } from './idempotency-migrations.js'
import { idempotently, idempotentlyAnswered, KEY_LIFE_MS, removeOldKeys } from './idempotency.js'
import { createLog } from './log.js'
import type { Tenant } from './tenant.js'

const clock = adjustableClock()
const database = await ownDatabase()
const db = await openDatabase({
  url: database.url,
  schema: 'kernel',
  entities: [],
  migrations: IDEMPOTENCY_MIGRATIONS,
  poolSize: 4,
  log: createLog('silent'),
})
afterAll(async () => {
  await db.close()
})

const tenantWith = (key: string): Tenant => ({
  id: 'tenant',
  products: [],
  requestId: 'test',
  idempotency: { key, fingerprint: 'the same', onReplay: () => undefined },
})

/** As after four seconds in which nothing is heard of the request's process: it was frozen, or has died. */
const lapse = (key: string) =>
  db.pool.query(`update kernel.idempotency_key set leased_until = clock_timestamp() - interval '1 ms' where key = $1`, [
    key,
  ])

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

describe('a request whose process lives', () => {
  it('keeps its key for as long as it runs, whatever the clock of the product says', async () => {
    const key = randomUUID()
    const slow = await begin(key)
    const leasedUntil = async () =>
      (await db.pool.query<{ at: Date }>('select leased_until as at from kernel.idempotency_key where key = $1', [key]))
        .rows[0]?.at
    const first = await leasedUntil()
    clock.advance(3_600_000)
    await expect(begin(key)).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    await until('it is told again that it runs', async () => String(await leasedUntil()) !== String(first))
    slow.succeed('slow')
    expect(await slow.answered).toEqual({ word: 'slow' })
  })

  it('gets its own failure, though its key cannot be given back', async () => {
    const failing = begin.bind(null, randomUUID())
    const request = await failing()
    await db.pool.query('alter table kernel.idempotency_key rename to away')
    request.fail()
    await expect(request.answered).rejects.toThrow('failed late')
    await db.pool.query('alter table kernel.away rename to idempotency_key')
  })
})

describe('a request that was not heard of for four seconds', () => {
  it('is given the answer of the request that took its key, where there is one', async () => {
    const key = randomUUID()
    const slow = await begin(key)
    await lapse(key)
    const next = await begin(key)
    next.succeed('next')
    await next.answered
    slow.succeed('slow')
    expect(await slow.answered).toEqual({ word: 'next' })
  })

  it('makes no effect real that comes before its answer', async () => {
    const key = randomUUID()
    await db.pool.query('create table if not exists kernel.effect (by text)')
    let next: Awaited<ReturnType<typeof begin>> | undefined
    const frozen = idempotentlyAnswered({ pool: db.pool, clock }, tenantWith(key), async (fence) => {
      await lapse(key)
      next = await begin(key)
      await inTransaction(db, async (em) => {
        await fence(em)
        await executeIn(em, `insert into kernel.effect values ('frozen')`, [])
      })
      return { word: 'frozen' }
    })
    await expect(frozen).rejects.toMatchObject({ code: 'idempotency_in_progress' })
    expect((await db.pool.query('select * from kernel.effect')).rows).toEqual([])
    next?.succeed('next')
    expect(await next?.answered).toEqual({ word: 'next' })
  })

  it('and fails, does not free the key of the request that has it now', async () => {
    const key = randomUUID()
    const slow = await begin(key)
    await lapse(key)
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
    await lapse(key)
    const next = await begin(key)
    slow.succeed('slow')
    await expect(slow.answered).rejects.toMatchObject({ code: 'idempotency_in_progress' })
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
      await lapse(key)
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

it('keys that answer no more are gone after one run, however many they are, and no other is', async () => {
  const now = clock.now().getTime()
  const add = (count: number, ageMs: number) =>
    db.pool.query(
      `insert into kernel.idempotency_key (tenant_id, key, fingerprint, answer, created_at)
        select 'many', gen_random_uuid()::text, '', '{}', $2::timestamptz from generate_series(1, $1)`,
      [count, new Date(now - ageMs).toISOString()],
    )
  await add(25_000, KEY_LIFE_MS + 1)
  await add(3, KEY_LIFE_MS - 60_000)
  await removeOldKeys(db.pool, clock)
  const { rows } = await db.pool.query(
    `select count(*)::int as left from kernel.idempotency_key where tenant_id = 'many'`,
  )
  expect(rows).toEqual([{ left: 3 }])
})
