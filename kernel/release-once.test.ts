import { expect, it } from 'vitest'
import { ownDatabase, ownPool } from '../test/harness/database.js'
import { releasedOnce } from './release-once.js'

it('takes a connection back that is given back twice, and has it for the next', async () => {
  const database = await ownDatabase()
  const pool = releasedOnce(ownPool(database.url, 1))
  await new Promise<void>((resolve, reject) => {
    pool.connect((error, client, release) => {
      if (error || !client) return reject(error ?? new Error('no connection'))
      release()
      release()
      resolve()
    })
  })
  const client = await pool.connect()
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  client.release()
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }])
})
