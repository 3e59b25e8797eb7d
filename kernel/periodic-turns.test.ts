import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { ending } from '../test/harness/at-end.js'
import { ownDatabase, ownPool, query } from '../test/harness/database.js'
import { until } from '../test/harness/until.js'
import { migrateJobs, type JobKind } from './jobs.js'
import { startWorker } from './worker.js'

const log = pino({ level: 'silent' })

/** Of every hour: no other turn comes while a test runs. */
const MISSED = `${new Date(Date.now() - 7 * 60_000).getUTCMinutes()} * * * *`

/** Periodic work on a database of its own, and what has become of it. */
async function periodicWork() {
  const database = await ownDatabase()
  await migrateJobs(ownPool(database.url, 2), log)
  const sql = (text: string, ...values: unknown[]) => query(database.url, text, values)
  const seen = { began: 0, running: 0, mostAtOnce: 0, beside: 0 }
  let outcome: () => Promise<void> = () => Promise.resolve()
  const look = {
    ...{ name: 'look', cron: MISSED },
    run: async () => {
      seen.began += 1
      seen.running += 1
      seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.running)
      await outcome().finally(() => (seen.running -= 1))
    },
  }
  const beside: JobKind<never> = {
    ...{ name: 'beside', maxAttempts: 1 },
    run: () => Promise.resolve(void (seen.beside += 1)),
  }
  await sql(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since) values ('look', now() - interval '1 day')`,
  )
  const ran = (ago: string) =>
    sql(
      `update graphile_worker._private_known_crontabs set last_execution = date_trunc('minute', now() - $1::interval)`,
      ago,
    )
  const start = async (): Promise<void> => {
    const options = { kinds: [beside], periodic: [look], concurrency: 1, log }
    ending(await startWorker({ ...options, pool: ownPool(database.url, 8) }))
  }
  await ran('0')
  return {
    seen,
    sql,
    become: (given: () => Promise<void>) => {
      outcome = given
    },
    startWorker: start,
    /** Another process finds that a turn was missed. */
    turn: async (): Promise<void> => {
      await ran('50 minutes')
      await start()
      await until('the turn is there', async () => {
        const [row] = await sql(`select last_execution > now() - interval '20 minutes' as came
          from graphile_worker._private_known_crontabs`)
        return row?.['came']
      })
    },
    /** Work that came later is done: what could run before it has begun. */
    passed: async (): Promise<void> => {
      const before = seen.beside
      await sql(`select graphile_worker.add_job('beside', '{}'::json)`)
      await until('what came later is done', () => seen.beside > before)
    },
    /** What is in the queue, begun or not. */
    turns: () =>
      sql(
        `select attempts, locked_at is not null as runs from graphile_worker.jobs where task_identifier = 'look' order by id`,
      ),
  }
}

const RUNS = { attempts: 25, runs: true }
const WAITS = { attempts: 0, runs: false }

describe('periodic work', () => {
  it('has one turn that waits however many have failed, which is tried anew', async () => {
    const { seen, turn, turns, become, sql } = await periodicWork()
    become(() => Promise.reject(new Error('poisoned')))
    for (let time = 1; time <= 3; time += 1) {
      await turn()
      await until('it was tried', () => seen.began >= time)
      await until('it has failed', async () => (await turns())[0]?.['runs'] === false)
    }
    expect(await turns()).toHaveLength(1)
    become(() => Promise.resolve())
    await sql('update graphile_worker._private_jobs set run_at = now()')
    await until('it is done', async () => (await turns()).length === 0)
  })

  it('runs once at a time over all processes; one turn waits for it, and nothing else does', async () => {
    const { seen, turn, turns, become, passed } = await periodicWork()
    const open = Promise.withResolvers<undefined>()
    become(() => open.promise)
    await turn()
    await until('it runs', () => seen.began === 1)
    for (let time = 0; time < 2; time += 1) {
      await turn()
      await passed()
      expect(await turns()).toEqual([RUNS, WAITS])
    }
    expect(seen.began).toBe(1)
    open.resolve(undefined)
    await until('both are done', async () => (await turns()).length === 0)
    expect(seen).toMatchObject({ began: 2, mostAtOnce: 1 })
  })

  it('leaves nothing behind where it fails while the next turn waits', async () => {
    const { seen, turn, turns, become } = await periodicWork()
    const failed = Promise.withResolvers<undefined>()
    become(() => failed.promise)
    await turn()
    await until('it runs', () => seen.began === 1)
    await turn()
    become(() => Promise.resolve())
    failed.reject(new Error('failed'))
    await until('nothing is left', async () => (await turns()).length === 0)
    expect(seen.began).toBe(2)
  })

  it('keeps its place behind what waits before it, however many turns come meanwhile', async () => {
    const { seen, turn, sql, become, turns } = await periodicWork()
    const open = Promise.withResolvers<undefined>()
    become(() => open.promise)
    await turn()
    await until('it runs', () => seen.began === 1)
    await turn()
    await sql(`update graphile_worker._private_jobs set run_at = run_at - interval '1 hour' where locked_at is null`)
    await turn()
    const rows = await sql(`select from graphile_worker._private_jobs where run_at < now() - interval '1 hour'`)
    expect(rows).toHaveLength(1)
    open.resolve(undefined)
    await until('both are done', async () => (await turns()).length === 0)
  })

  it('drops a turn that has failed just after it was replaced, and no other work that was given up', async () => {
    const { startWorker: start, sql, turns } = await periodicWork()
    await sql(`select graphile_worker.add_job('look', '{}', 'periodic:look')`)
    await sql(`select graphile_worker.add_job('look', '{}', 'periodic:look', job_key => 'periodic:look')`)
    await sql(`select graphile_worker.add_job('beside', '{}', 'other')`)
    await sql('update graphile_worker._private_jobs set attempts = max_attempts')
    await start()
    await until('one is gone', async () => (await turns()).length < 2)
    const left = await sql('select task_identifier as work, key from graphile_worker.jobs order by id')
    expect(left).toEqual([
      { work: 'look', key: 'periodic:look' },
      { work: 'beside', key: null },
    ])
  })

  /** One that a process had begun which is gone. */
  const BEGUN = `update graphile_worker._private_jobs set attempts = $1, locked_by = 'gone', run_at = now(), locked_at = now() - interval '1 minute'`
  const LOCKED = `update graphile_worker._private_job_queues set locked_by = 'gone', locked_at = now() - interval '1 minute'`

  it.each([
    ['goes on after its process died', 'periodic:look', 1],
    ['goes on after its process died while the next turn waited, which is all that is left', null, 25],
  ])('%s', async (_what, key, attempts) => {
    const { seen, startWorker: start, turn, turns, become, sql } = await periodicWork()
    const open = Promise.withResolvers<undefined>()
    become(() => open.promise)
    await sql(`select graphile_worker.add_job('look', '{}', 'periodic:look', job_key => $1)`, key)
    await sql(BEGUN, attempts)
    await sql(LOCKED)
    await (key === null ? turn() : start())
    await until('it runs', () => seen.began === 1)
    expect(await turns()).toEqual([{ attempts: key === null ? 1 : 2, runs: true }])
    open.resolve(undefined)
    await until('it is done', async () => (await turns()).length === 0)
  })
})
