import { expect, it } from 'vitest'
import { query } from '../../../test/harness/database.js'
import { migratedDatabase } from '../../../test/harness/migrated-database.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import { COUNT_WORKING } from './tenant-keys.js'

it("a tenant's keys that work are counted without reading those that have expired, however many were made", async () => {
  const { url } = await migratedDatabase()
  await query(
    url,
    `insert into accounts.api_key (id, tenant_id, hash, prefix, name, expires_at, created_at)
      select 'key' || n, 'shop', 'hash' || n, 'sk_test_abcd', 'CI', case when n > 3 then now() - n * interval '1 minute' end, now()
      from generate_series(1, 20000) as n`,
  )
  await query(url, 'analyze accounts.api_key')
  const statement = COUNT_WORKING.replace('?', '$1').replace('?', '$2')
  const values = ['shop', new Date().toISOString()]
  expect(await query(url, statement, values)).toEqual([{ count: 3 }])
  const reads = await readsOf((sql, given) => query(url, sql, given), 'api_key', { text: statement, values })
  expect(reads.rows).toBe(3)
})
