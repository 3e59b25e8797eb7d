import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { ownPool, ownDatabase, query } from '../test/harness/database.js'
import { until } from '../test/harness/until.js'
import { migrateJobs, type JobKind } from './jobs.js'
import { startWorker } from './worker.js'
import { ending } from '../test/harness/at-end.js'

const log = pino({ level: 'silent' })

describe('a worker whose database connections are cut', async () => {
  const started: number[] = []
  let running = 0
  let mostAtOnce = 0
  let gate = Promise.resolve()

  const kind: JobKind<{ number: number }> = {
    name: 'count',
    maxAttempts: 25,
    run: async ({ number }) => {
      running += 1
      mostAtOnce = Math.max(mostAtOnce, running)
      started.push(number)
      await gate
      running -= 1
    },
  }
  const add = (number: number): Promise<unknown> =>
    query(database.url, 'select graphile_worker.add_job($1, $2::json)', ['count', JSON.stringify({ number })])
  const cut = (): Promise<unknown> =>
    query(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
  const waiting = async (): Promise<number> =>
    Number((await query(database.url, 'select count(*) from graphile_worker._private_jobs'))[0]?.['count'])

  const database = await ownDatabase()
  const pool = ownPool(database.url, 8)
  await migrateJobs(pool, log)
  ending(await startWorker({ pool, kinds: [kind as JobKind<never>], periodic: [], concurrency: 4, log }))

  it('goes on with jobs that come later', async () => {
    await cut()
    await add(1)
    await until('the job has run', () => started.includes(1))
    await until('nothing is left', async () => (await waiting()) === 0)
  })

  it('ends no process when the outcome of a job cannot be written, and runs it again', async () => {
    const open = Promise.withResolvers<undefined>()
    gate = open.promise
    await add(2)
    await until('the job runs', () => started.includes(2))
    await cut()
    gate = Promise.resolve()
    open.resolve(undefined)
    await until('its outcome is written', async () => (await waiting()) === 0)
    await add(3)
    await until('the next has run', () => started.includes(3))
    expect(mostAtOnce).toBe(1)
  })
})

describe('a worker with two kinds of work of one name', () => {
  it('does not start: the second would run in place of the first', async () => {
    const database = await ownDatabase()
    const pool = ownPool(database.url, 8)
    await migrateJobs(pool, log)
    const run = (): Promise<void> => Promise.resolve()
    const kind: JobKind<never> = { name: 'follow', maxAttempts: 25, run }
    const periodic = [{ name: 'follow', cron: '* * * * *', run }]
    const started = startWorker({ pool, kinds: [kind], periodic, concurrency: 1, log })
    await expect(started).rejects.toThrow('two kinds of work have the name follow')
  })
})
