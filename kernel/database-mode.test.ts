import { describe, expect, it } from 'vitest'
import { ownDatabase, query } from '../test/harness/database.js'
import { claimDatabase, createDatabaseMode } from './database-mode.js'
import { openDatabase, type Database } from './database.js'
import { createLog } from './log.js'
import { ending } from '../test/harness/at-end.js'

/** A kernel schema of its own; `earlier` is what was in the database before the mark. */
async function open(earlier: readonly string[] = []): Promise<Database> {
  const database = await ownDatabase()
  for (const statement of earlier) await query(database.url, statement)
  const migrations = [{ name: '0004-database-mode', statements: createDatabaseMode }]
  const log = createLog('silent')
  return ending(await openDatabase({ url: database.url, schema: 'kernel', entities: [], migrations, poolSize: 2, log }))
}

describe('a database', async () => {
  const db = await open()

  it('belongs to the mode that used it first, and refuses the other in one line', async () => {
    await claimDatabase(db.pool, 'sandbox')
    await claimDatabase(db.pool, 'sandbox')
    await expect(claimDatabase(db.pool, 'live')).rejects.toThrow(
      /^the database belongs to a sandbox, .*MODE=live[^\n]*$/,
    )
  })

  it('belongs to one mode where both come at once', async () => {
    const { pool } = await open()
    const claims = await Promise.allSettled([claimDatabase(pool, 'live'), claimDatabase(pool, 'sandbox')])
    expect(claims.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('of an earlier version that has live keys is live', async () => {
    const keys = 'create schema accounts; create table accounts.api_key (prefix text)'
    const { pool } = await open([keys, `insert into accounts.api_key values ('sk_live_1a2b')`])
    await expect(claimDatabase(pool, 'sandbox')).rejects.toThrow(/belongs to a live deployment/)
    await claimDatabase(pool, 'live')
  })
})
