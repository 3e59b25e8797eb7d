import { describe, expect, it } from 'vitest'
import { ownPool } from '../test/harness/database.js'
import { kernelDatabase } from '../test/harness/migrated-database.js'
import { until } from '../test/harness/until.js'
import { systemClock } from './clock.js'
import { inTransaction } from './database.js'
import { addJobs, quietJobs, type JobRequest } from './jobs.js'

const { url, kernel } = await kernelDatabase()
const worker = ownPool(url, 2)

const add = (...jobs: JobRequest[]): Promise<void> => inTransaction(kernel, (em) => addJobs(em, systemClock, jobs))
const waiting = async (key: string): Promise<Record<string, unknown>[]> => {
  const statement = `select key, payload, priority, attempts, max_attempts, locked_at is not null as runs, run_at > now() as later
    from graphile_worker._private_jobs where key = $1 or payload ->> 'key' = $1 order by id`
  return (await worker.query<Record<string, unknown>>(statement, [key])).rows
}
const job = (key: string, turn: number, more: Partial<JobRequest> = {}): JobRequest => ({
  name: 'work',
  payload: { key, turn },
  ...more,
})

describe('adding jobs', () => {
  it('keeps their order, each with what it was given', async () => {
    const runAt = new Date(Date.now() + 60_000)
    await add(
      job('order', 1),
      job('order', 2, { maxAttempts: 3, priority: 5, runAt }),
      job('order', 3, { name: 'new' }),
    )
    expect(await waiting('order')).toMatchObject([
      { payload: { turn: 1 }, key: null, priority: 0, max_attempts: 25, later: false },
      { payload: { turn: 2 }, priority: 5, max_attempts: 3, later: true },
      { payload: { turn: 3 } },
    ])
  })

  it('replaces one that waits under the same key, also one that has used up its tries', async () => {
    await add(job('waits', 1, { key: 'waits', priority: 3 }), job('waits', 2, { key: 'waits' }))
    expect(await waiting('waits')).toMatchObject([{ payload: { turn: 2 }, priority: 0 }])
    await worker.query(`update graphile_worker._private_jobs set attempts = max_attempts where key = 'waits'`)
    await add(job('waits', 3, { key: 'waits' }))
    expect((await waiting('waits')).filter(({ key }) => key === 'waits')).toMatchObject([
      { payload: { turn: 3 }, attempts: 0 },
    ])
  })

  it('leaves one that runs under the same key alone, and adds another', async () => {
    await add(job('runs', 1, { key: 'runs' }))
    await worker.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a' where key = 'runs'`)
    await add(job('runs', 2, { key: 'runs' }))
    expect(await waiting('runs')).toMatchObject([
      { payload: { turn: 1 }, key: null, runs: true, attempts: 25 },
      { payload: { turn: 2 }, key: 'runs', runs: false },
    ])
  })

  it('loses none that is added by one whose worker was taken for dead, and is done after that', async () => {
    await add(job('given back', 1, { key: 'given back' }))
    const { rows } = await worker.query<{ id: string }>(
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a', attempts = 1 where key = 'given back' returning id`,
    )
    await worker.query(`select graphile_worker.force_unlock_workers(array['a'])`)
    // It runs still, and plans its next look.
    await add(job('given back', 2, { key: 'given back' }))
    await worker.query('delete from graphile_worker._private_jobs where id = $1', [rows[0]?.id])
    expect(await waiting('given back')).toMatchObject([{ payload: { turn: 2 }, key: 'given back', attempts: 0 }])
  })

  it('loses none whose key a worker takes in the same moment', async () => {
    await add(job('race', 1, { key: 'race' }))
    const taking = await worker.connect()
    try {
      await taking.query('begin')
      await taking.query(
        `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a' where key = 'race'`,
      )
      const added = add(job('race', 2, { key: 'race' }))
      await until('the job waits for what the worker has taken', async () => {
        const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%kernel.add_job%'`
        return (await worker.query(blocked)).rowCount === 1
      })
      await taking.query('commit')
      await added
    } finally {
      taking.release()
    }
    expect(await waiting('race')).toMatchObject([
      { payload: { turn: 1 }, runs: true },
      { payload: { turn: 2 }, key: 'race', runs: false },
    ])
  })

  it('is undone with its transaction', async () => {
    const failing = inTransaction(kernel, async (em) => {
      await addJobs(em, systemClock, [job('undone', 1)])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await waiting('undone')).toEqual([])
  })

  it('takes no longer for one that waits behind many', async () => {
    await worker.query(`insert into graphile_worker._private_jobs (task_id, key, run_at)
      select id, 'many ' || n, now() + interval '1 day' from graphile_worker._private_tasks, generate_series(1, 20000) as n
      where identifier = 'work'`)
    const { rows } = await worker.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) select kernel.add_job('work', '{}', job_key => 'many ' || n)
        from generate_series(1, 100) as n`,
    )
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
    expect((hit + read) / 100).toBeLessThan(60)
  })

  it('adds one for each row of a statement, also of a kind that nobody has made known yet', async () => {
    const rows = `(values ('a', 1), ('b', 2)) as given (key, turn)`
    const statement = quietJobs('unheard of', `json_build_object('key', key, 'turn', turn)`, rows)
    for (let time = 0; time < 2; time += 1) await worker.query(statement)
    const added = await worker.query(`select payload ->> 'key' as key, payload -> 'turn' as turn, max_attempts
      from graphile_worker._private_jobs join graphile_worker._private_tasks as task on task.id = task_id
      where identifier = 'unheard of' order by _private_jobs.id`)
    const keys = ['a', 'b', 'a', 'b']
    expect(added.rows).toEqual(keys.map((key, index) => ({ key, turn: (index % 2) + 1, max_attempts: 25 })))
  })
})
