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

it('work of every five minutes is made up for where no worker lived at its minute', async () => {
  const database = await ownDatabase()
  const pool = ownPool(database.url, 8)
  await migrateJobs(pool, log)
  await query(
    database.url,
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('look', now() - interval '1 day', date_trunc('minute', now() - interval '7 minutes'))`,
  )
  let looks = 0
  const look = { name: 'look', cron: '*/5 * * * *', run: () => Promise.resolve(void (looks += 1)) }
  ending(await startWorker({ pool, kinds: [], periodic: [look], concurrency: 1, log }))
  await until('it has looked', () => looks > 0)
})

describe('jobs that a worker has taken and does not run', async () => {
  const started: number[] = []
  let gate = Promise.resolve()
  const kind: JobKind<{ number: number }> = {
    name: 'count',
    maxAttempts: 25,
    run: async ({ number }) => {
      started.push(number)
      await gate
    },
  }
  const database = await ownDatabase()
  const pool = ownPool(database.url, 8)
  await migrateJobs(pool, log)
  const sql = (text: string, ...values: unknown[]) => query(database.url, text, values)
  const add = async (number: number, later = false): Promise<string> => {
    const runAt = later ? new Date(Date.now() + 3_600_000) : new Date()
    const text = 'select (graphile_worker.add_job($1, $2::json, run_at => $3)).id::text'
    return String((await sql(text, 'count', JSON.stringify({ number }), runAt))[0]?.['id'])
  }
  const take = (id: string, by: string): Promise<unknown> =>
    sql(
      `update graphile_worker._private_jobs set run_at = now(), attempts = 1, locked_by = $2,
        locked_at = now() - interval '20 seconds' where id = $1`,
      id,
      by,
    )
  ending(await startWorker({ pool, kinds: [kind as JobKind<never>], periodic: [], concurrency: 4, log }))

  it('are given back under another id, so that one that is dead only in name deletes nothing when it is done', async () => {
    const open = Promise.withResolvers<undefined>()
    gate = open.promise
    const id = await add(1, true)
    await take(id, 'gone')
    await until('the job runs', () => started.includes(1))
    await sql('delete from graphile_worker._private_jobs where id = $1', id)
    expect(await sql('select attempts from graphile_worker._private_jobs')).toEqual([{ attempts: 2 }])
    open.resolve(undefined)
    await until('it is done', async () => (await sql('select from graphile_worker._private_jobs')).length === 0)
  })

  it('are given back by the worker itself, where the answer that it has them was lost, and no other job is', async () => {
    const open = Promise.withResolvers<undefined>()
    gate = open.promise
    await add(2)
    await until('a job runs', () => started.includes(2))
    const [{ name } = {}] = await sql('select locked_by as name from graphile_worker._private_jobs')
    await sql(`update graphile_worker._private_jobs set locked_at = now() - interval '20 seconds'`)
    await take(await add(3, true), String(name))
    await until('the job that nobody has heard of runs', () => started.includes(3))
    open.resolve(undefined)
    await until('both are done', async () => (await sql('select from graphile_worker._private_jobs')).length === 0)
    expect(started.filter((number) => number === 2)).toEqual([2])
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
