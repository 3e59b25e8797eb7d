import { expect, it } from 'vitest'
import { systemClock } from '../../../kernel/clock.js'
import { addJob } from '../../../kernel/jobs.js'
import { createLog } from '../../../kernel/log.js'
import { ending } from '../../../test/harness/at-end.js'
import { kernelDatabase } from '../../../test/harness/migrated-database.js'
import { openKycDatabase } from '../context.js'

const { url, kernel } = await kernelDatabase()

const add = (name: string, what: string, key?: string) =>
  addJob(kernel.orm.em.fork(), systemClock, { name, payload: { what }, ...(key !== undefined && { key }) })

it('callbacks and erasures that were given up before lost jobs were looked for are tried again, for as long as it takes', async () => {
  await add('process-kyc-callback', 'lost callback')
  await add('forget-kyc-session', 'lost erasure')
  await add('forget-kyc-session', 'found by its key', 'forget-kyc-session:t:s')
  await add('forget-deliveries', 'lost at the deliveries')
  await add('publish-event', 'another kind')
  await kernel.pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, run_at = now() + interval '6 hours'`,
  )
  await add('forget-kyc-session', 'waits')
  await kernel.pool.query(`update graphile_worker._private_jobs set attempts = 24 where payload ->> 'what' = 'waits'`)
  // As a database is that has every migration but these.
  const these = ['0009-jobs-without-key', '0012-forget-for-good']
  await kernel.pool.query('delete from kyc.migration where name = any($1)', [these])
  ending(await openKycDatabase({ url, poolSize: 2, log: createLog('silent') }))
  const { rows } = await kernel.pool.query(
    `select payload ->> 'what' as what, attempts, max_attempts as most, run_at <= now() as "isDue"
      from graphile_worker._private_jobs order by id`,
  )
  expect(rows).toEqual([
    { what: 'lost callback', attempts: 0, most: 32_767, isDue: true },
    { what: 'lost erasure', attempts: 0, most: 32_767, isDue: true },
    { what: 'found by its key', attempts: 25, most: 25, isDue: false },
    { what: 'lost at the deliveries', attempts: 0, most: 32_767, isDue: true },
    { what: 'another kind', attempts: 25, most: 25, isDue: false },
    { what: 'waits', attempts: 24, most: 32_767, isDue: true },
  ])
})
