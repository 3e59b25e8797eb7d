import { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownDatabase } from '../test/support/own-database.js'
import { batcher } from './batcher.js'

interface Item {
  key: string
  amount: number
}

describe('writes that come at the same time', () => {
  let database: Awaited<ReturnType<typeof ownDatabase>>
  let pool: Pool
  let sizes: number[]
  let add: (item: Item) => Promise<boolean>

  beforeAll(async () => {
    database = await ownDatabase()
    pool = new Pool({ connectionString: database.url, max: 4 })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })
  beforeEach(async () => {
    await pool.query('drop table if exists item')
    await pool.query('create table item (key text primary key, amount int not null check (amount > 0))')
    sizes = []
    const write = async (items: readonly Item[]): Promise<boolean[]> => {
      sizes.push(items.length)
      const { rows } = await pool.query<{ key: string }>(
        `insert into item select key, amount from json_to_recordset($1) as given (key text, amount int)
          on conflict do nothing returning key`,
        [JSON.stringify(items)],
      )
      return items.map(({ key }) => rows.some((row) => row.key === key))
    }
    add = batcher(write, ({ key }) => key)
  })
  const stored = async (): Promise<number> => (await pool.query('select from item')).rowCount ?? 0

  it('go in few statements, and each has its own answer', async () => {
    await add({ key: '7', amount: 1 })
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => add({ key: String(index), amount: 1 })))
    expect(answers.flatMap((isNew, index) => (isNew ? [] : [index]))).toEqual([7])
    expect(await stored()).toBe(200)
    expect(sizes.reduce((total, size) => total + size)).toBe(201)
    expect(sizes.length).toBeLessThan(10)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64)
  })

  it('fail alone where the database refuses a value', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => add({ key: String(index), amount: index === 3 ? 0 : 1 })),
    )
    expect(outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [] : [index]))).toEqual([3])
    expect(await stored()).toBe(19)
  })

  it('never go together where they are about the same', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => add({ key: 'one', amount: 1 })))
    expect(answers.filter((isNew) => isNew)).toHaveLength(1)
    expect(Math.max(...sizes)).toBe(1)
  })

  it('all fail where no value of theirs is the reason, and are not tried again', async () => {
    await pool.query('drop table item')
    const outcomes = await Promise.allSettled([add({ key: 'a', amount: 1 }), add({ key: 'b', amount: 1 })])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(sizes).toEqual([2])
  })
})
