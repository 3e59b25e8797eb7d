import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Client } from 'pg'
import { ownDatabase, query } from '../test/harness/database.js'
import { until } from '../test/harness/until.js'
import { openDatabase, type Database } from './database.js'
import { createLog } from './log.js'
import { buildIndex, type LockWaits, type SchemaMigration } from './migrate.js'

const database = await ownDatabase()
const WAITS: LockWaits = { lockMs: 100, pauseMs: 50, maxMs: 20_000 }
const TABLE = { name: '0001-item', statements: ['create table shop.item (name text)'] }
const COLUMN = { name: '0002-price', statements: ['alter table shop.item add column price int'] }
const INDEX = {
  name: '0003-names',
  statements: buildIndex('shop', 'item_name', 'on shop.item (name)'),
  isConcurrent: true,
}

let told: string[] = []
/** Somebody else: a dump, a request, a process of the version before. */
let other: Client

async function start(migrations: readonly SchemaMigration[], lockWaits = WAITS): Promise<void> {
  const log = createLog('warn', { write: (line) => void told.push(line) })
  const db: Database = await openDatabase({
    ...{ url: database.url, schema: 'shop', entities: [], migrations, poolSize: 3, log, lockWaits },
  })
  await db.close()
}
const sql = (text: string) => query(database.url, text)
const migrated = async () => (await sql('select name from shop.migration order by id')).map(({ name }) => name)
/** What waits for a lock at this moment, by what it wants to do. */
const waits = async (text: string): Promise<boolean> =>
  (
    await sql(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '${text}%'`,
    )
  ).length > 0

beforeEach(async () => {
  told = []
  await sql('drop schema if exists shop cascade')
  await start([TABLE])
  other = new Client({ connectionString: database.url })
  await other.connect()
})
afterEach(() => other.end())

describe('a migration whose table somebody holds', () => {
  it('lets others have the table while it waits, and is made once it is free', async () => {
    await other.query('begin')
    await other.query('select from shop.item')
    const started = start([TABLE, COLUMN])
    await until('it was given up once', () => told.length > 0)
    // Longer than one try, and no longer: without the limit it would wait until the other has ended.
    for (let times = 0; times < 5; times += 1) await sql(`insert into shop.item values ('while it waits')`)
    expect(await migrated()).toEqual([TABLE.name])
    await other.query('commit')
    await started
    expect(await migrated()).toEqual([TABLE.name, COLUMN.name])
    expect(JSON.parse(told[0] ?? '')).toMatchObject({
      schema: 'shop',
      msg: 'a migration waits for a lock, and is tried again',
    })
  })

  it('fails where it does not get it in time, and what was made before it stays', async () => {
    await sql('create table shop.other (name text)')
    await other.query('begin')
    await other.query('select from shop.other')
    const held = { name: '0003-other', statements: ['alter table shop.other add column price int'] }
    await expect(start([TABLE, COLUMN, held], { ...WAITS, maxMs: 300 })).rejects.toThrow('lock timeout')
    expect(await migrated()).toEqual([TABLE.name, COLUMN.name])
  })

  it('that fails by something else is not tried again, and nothing of it is there', async () => {
    const broken = { name: '0002-broken', statements: [...COLUMN.statements, 'select 1 / 0'] }
    await expect(start([TABLE, broken])).rejects.toThrow('division by zero')
    expect(told).toEqual([])
    expect(
      await sql(`select from information_schema.columns where table_name = 'item' and column_name = 'price'`),
    ).toEqual([])
  })
})

describe('an index that is built concurrently', () => {
  const validity = () =>
    sql(`select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('shop.item_name')`)

  it('keeps nobody from writing while it waits for those who were there before', async () => {
    await other.query('begin')
    await other.query(`insert into shop.item values ('before')`)
    const started = start([TABLE, INDEX])
    await until('it waits', () => waits('create index concurrently'))
    await sql(`set lock_timeout = 100; insert into shop.item values ('meanwhile')`)
    await other.query('commit')
    await started
    expect(await validity()).toEqual([{ isValid: true }])
    expect(await migrated()).toEqual([TABLE.name, INDEX.name])
  })

  it('is built anew where its last build has failed', async () => {
    await sql(`insert into shop.item values ('twice'), ('twice')`)
    await expect(sql('create unique index concurrently item_name on shop.item (name)')).rejects.toThrow('unique index')
    expect(await validity()).toEqual([{ isValid: false }])
    await start([TABLE, INDEX])
    expect(await validity()).toEqual([{ isValid: true }])
  })

  it('is built though a process of the version before waits for its turn by a statement, for which the build waits', async () => {
    await other.query('begin')
    await other.query(`insert into shop.item values ('before')`)
    const started = Promise.all([start([TABLE, INDEX]), start([TABLE, INDEX])])
    await until('it waits', () => waits('create index concurrently'))
    // The database ends one of the two: this one is started again, the other tries again.
    const before = sql('select pg_advisory_lock(7041776)').catch(() => undefined)
    await until('the other waits too', () => waits('select pg_advisory_lock'))
    await other.query('commit')
    await Promise.all([started, before])
    expect(await validity()).toEqual([{ isValid: true }])
    expect(await migrated()).toEqual([TABLE.name, INDEX.name])
  })
})
