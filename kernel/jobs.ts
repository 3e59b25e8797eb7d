import type { EntityManager } from '@mikro-orm/postgresql'
import { runMigrations } from 'graphile-worker'
import { Pool } from 'pg'
import type { Clock } from './clock.js'
import { run, runIn, type Queryable } from './database.js'
import type { Gauge } from './gauge.js'
import type { Logger } from './log.js'
import { againWhileLocked, LOCK_WAITS } from './migrate.js'
import { traceparent } from './tracing.js'
import { workerLog } from './worker-log.js'

/** A kind of background work: run at least once for every job added, retried when it throws. */
export interface JobKind<Payload> {
  name: string
  /** How often a job that throws is tried in all. graphile-worker waits e^attempt seconds in between. */
  maxAttempts: number
  run(payload: Payload): Promise<void>
}

/** What `addJob` needs besides the transaction. */
export interface JobRequest {
  name: string
  payload: object
  /** Product time from which on it may run; at once when left out. */
  runAt?: Date
  /** A job with the same key that has not started yet is replaced. */
  key?: string
  maxAttempts?: number
  /** Jobs with a lower number are taken first; 0 when left out. */
  priority?: number
}

/** Where a job's payload has the span that queued it, for the link of the job's own (ADR 41); only where there are traces. */
export const JOB_ORIGIN = 'traceparent'

/**
 * The part of a statement that adds jobs in their order.
 * @param parameter of `givenJobs`
 */
export function addGivenJobs(parameter: string): string {
  return `select kernel.add_job(name, payload, run_at => clock_timestamp() + run_in_ms * interval '1 millisecond',
      max_attempts => max_attempts, job_key => key, priority => priority)
    from json_to_recordset(${parameter}::json) as job
      (name text, payload json, run_in_ms bigint, max_attempts int, key text, priority int)`
}

/**
 * The value that `addGivenJobs` takes. The database's clock times jobs, and no two clocks show the same: what is to come in ten
 * seconds by this process comes in ten seconds by that clock. Timed by the moment itself, a job that finds it has come too early,
 * and adds itself again, would come at once, again and again, for as long as this process's clock is behind.
 */
export function givenJobs(clock: Clock, jobs: readonly JobRequest[]): string {
  const origin = traceparent()
  const now = clock.now().getTime()
  const given = jobs.map(({ name, payload, runAt, maxAttempts, key, priority }) => ({
    name,
    payload: origin === undefined ? payload : { ...payload, [JOB_ORIGIN]: origin },
    run_in_ms: runAt ? runAt.getTime() - now : null,
    max_attempts: maxAttempts ?? 25,
    key: key ?? null,
    priority: priority ?? 0,
  }))
  return JSON.stringify(given)
}

const ADD_JOBS = { name: 'job_add', text: addGivenJobs('$1') }

/** Adds a job in the transaction of `em`; its `runAt` is the time of `clock`, see `givenJobs`. */
export async function addJob(em: EntityManager, clock: Clock, job: JobRequest): Promise<void> {
  await addJobs(em, clock, [job])
}

/** Adds jobs in the transaction of `em`, in their order, by one statement; see `addJob`. */
export async function addJobs(em: EntityManager, clock: Clock, jobs: readonly JobRequest[]): Promise<void> {
  if (jobs.length === 0) return
  await runIn(em, ADD_JOBS, [givenJobs(clock, jobs)])
}

/**
 * A condition of SQL: a job with one of these keys waits or runs. One that has used up its tries stays in the table, and
 * does nothing any more. As a count, so that PostgreSQL looks each key up in its unique index and never reads the table:
 * it turns an `exists` into a join, and may then compare everything with everything.
 * @param keys an SQL expression for an array of job keys; it names tables with its columns, as a job has an `id` too
 */
export function hasLiveJob(keys: string): string {
  return `(select count(*) from graphile_worker._private_jobs as job where job.key = any(${keys})
    and (job.attempts < job.max_attempts or job.locked_at is not null)) > 0`
}

const ANNOUNCE = {
  name: 'job_announce',
  text: `select pg_notify('jobs:insert', json_build_object('r', random(), 'count', $1::int)::text)`,
}

/** How long jobs gather before the workers are woken for all of them at once. */
const ANNOUNCE_AFTER_MS = 5

/**
 * The part of a statement that adds a job for each of some rows, as graphile-worker's `add_job` does (000020.sql), but tells no
 * worker. `add_job` notifies, and PostgreSQL lets transactions that notify commit only one after the other (async.c,
 * `PreCommit_Notify`, takes one lock for all of them until the commit is on disk): on the hot path that alone is the limit.
 * The caller wakes the workers after the commit (`jobAnnouncer`).
 * @param payload an expression of the rows' columns
 */
export function quietJobs(name: string, payload: string, rows: string): string {
  return `insert into graphile_worker._private_jobs (task_id, payload, max_attempts)
    select coalesce((select id from graphile_worker._private_tasks where identifier = '${name}'), kernel.add_task('${name}')),
      ${payload}, 25
    from ${rows}`
}

/**
 * Tells the workers of quiet jobs, many by one notification. One that is lost with the process costs a second: the workers
 * also look by themselves.
 * @returns what is to be called after each commit
 */
export function jobAnnouncer(pool: Queryable): () => void {
  let waiting = 0
  const announce = (): void => {
    const count = waiting
    waiting = 0
    run(pool, ANNOUNCE, [count]).catch(() => undefined)
  }
  return () => {
    waiting += 1
    if (waiting === 1) setTimeout(announce, ANNOUNCE_AFTER_MS).unref()
  }
}

/** Brings the job tables up to date. Every process does this before it adds its first job. */
export async function migrateJobs(pool: Pool, log: Logger): Promise<void> {
  const { options } = pool
  // Connections of their own: a migration may take as long as it needs, once it has its locks.
  const limits = { statement_timeout: undefined, lock_timeout: LOCK_WAITS.lockMs }
  const unhurried = new Pool({ ...options, password: options.password, ...limits, max: 2 })
  // One that is lost fails the statement on it; without listeners it would end the process too.
  unhurried.on('error', () => undefined)
  unhurried.on('connect', (client) => client.on('error', () => undefined))
  try {
    await againWhileLocked(() => runMigrations({ pgPool: unhurried, logger: workerLog(log) }), LOCK_WAITS, log)
  } finally {
    await unhurried.end()
  }
}

/**
 * Brings waiting jobs forward after the product's clock was moved ahead: they were timed by the database's clock, which
 * does not move.
 */
export async function advanceJobs(pool: Pool, seconds: number): Promise<void> {
  await pool.query(
    'update graphile_worker._private_jobs set run_at = run_at - make_interval(secs => $1) where run_at > now()',
    [seconds],
  )
}

/** Jobs that are due by the clock rather than by an event: name, a cron line (UTC), and what they do. */
export interface PeriodicJob {
  name: string
  cron: string
  run: () => Promise<void>
}

/** As far as a long queue is counted: a figure above it says no more to an operator, and a count has a price. */
const COUNTED_MAX = 100_000

const COUNT_JOBS = {
  name: 'job_count',
  text: `select case when attempts < max_attempts then 'due' else 'given_up' end as state, count(*)::int as value
    from (select attempts, max_attempts from graphile_worker._private_jobs
      where run_at <= now() limit ${COUNTED_MAX}) as due
    group by 1`,
}

const OLDEST_JOB = {
  name: 'job_oldest',
  text: `select coalesce(extract(epoch from now() - min(run_at)), 0)::float as value from graphile_worker._private_jobs
    where run_at <= now() and attempts < max_attempts and locked_at is null`,
}

/** What the queue holds: how much could run now, what used up its tries, and how long the oldest waits. */
export function jobGauges(pool: Queryable): Gauge[] {
  return [
    {
      ...{ name: 'jobs', help: `Jobs that could run now, or have given up; at most ${COUNTED_MAX} are counted` },
      labels: ['state'],
      read: async () => {
        const rows = await run<{ state: string; value: number }>(pool, COUNT_JOBS, [])
        return rows.map(({ state, value }) => ({ labels: { state }, value }))
      },
    },
    {
      ...{ name: 'jobs_oldest_due_seconds', help: 'How long the oldest job waits that could run now', labels: [] },
      read: async () => {
        const rows = await run<{ value: number }>(pool, OLDEST_JOB, [])
        return rows.map(({ value }) => ({ labels: {}, value }))
      },
    },
  ]
}
