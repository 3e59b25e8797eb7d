import { Migration } from '@mikro-orm/migrations'
import type { EntityManager } from '@mikro-orm/postgresql'
import { EventEmitter } from 'node:events'
import { run as runWorker, runMigrations, type Runner, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Clock } from './clock.js'
import { executeIn, run, type Queryable } from './database.js'
import { keepAlive } from './dead-workers.js'
import type { Logger } from './log.js'
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

/**
 * Adds a job in the transaction of `em`.
 * Jobs are timed by the database's clock; `runAt` is product time, which sandbox and tests may have moved ahead.
 */
export async function addJob(em: EntityManager, clock: Clock, job: JobRequest): Promise<void> {
  const runAt = job.runAt ? new Date(job.runAt.getTime() - clock.aheadMs()) : null
  await executeIn(
    em,
    `select graphile_worker.add_job(?::text, ?::json, run_at => ?::timestamptz, max_attempts => ?::int,
      job_key => ?::text, priority => ?::int)`,
    [
      job.name,
      JSON.stringify(job.payload),
      runAt?.toISOString() ?? null,
      job.maxAttempts ?? 25,
      job.key ?? null,
      job.priority ?? 0,
    ],
  )
}

/**
 * `kernel.add_quiet_job(name, payload)`: adds a job as graphile-worker's `add_job` does (000020.sql), but tells no worker.
 * `add_job` notifies, and PostgreSQL lets transactions that notify commit only one after the other (async.c,
 * `PreCommit_Notify`, takes one lock for all of them until the commit is on disk): on the hot path that alone is the limit.
 * Who uses it tells the workers after the commit (`jobAnnouncer`).
 */
export class CreateQuietJobs extends Migration {
  override up(): void {
    this.addSql(`create function kernel.add_quiet_job(name text, payload json) returns void language plpgsql as $$
      declare
        task int;
      begin
        select id into task from graphile_worker._private_tasks where identifier = name;
        if task is null then
          insert into graphile_worker._private_tasks (identifier) values (name)
            on conflict (identifier) do update set identifier = excluded.identifier returning id into task;
        end if;
        insert into graphile_worker._private_jobs (task_id, payload, max_attempts) values (task, payload, 25);
      end
    $$`)
  }
}

const ANNOUNCE = {
  name: 'job_announce',
  text: `select pg_notify('jobs:insert', json_build_object('r', random(), 'count', $1::int)::text)`,
}

/** How long jobs that are done gather before they are removed together. A crash in between runs them once more. */
const COMPLETE_AFTER_MS = 5

/** How long jobs gather before the workers are told of all of them at once. */
const ANNOUNCE_AFTER_MS = 5

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
  await runMigrations({ pgPool: pool, logger: workerLog(log) })
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

/**
 * Works off jobs until stopped.
 * @param concurrency jobs at once; the pool has to have at least as many connections
 */
export async function startWorker(options: {
  pool: Pool
  kinds: readonly JobKind<never>[]
  periodic: readonly PeriodicJob[]
  concurrency: number
  log: Logger
}): Promise<{ stop: () => Promise<void> }> {
  const tasks = [
    ...options.kinds.map((kind) => [kind.name, (payload: unknown) => kind.run(payload as never)] as const),
    ...options.periodic.map((job) => [job.name, () => job.run()] as const),
  ]
  const events = new EventEmitter() as WorkerEvents
  let name: string | undefined
  events.on('pool:create', ({ workerPool }) => {
    name = workerPool.id
  })
  const runner: Runner = await runWorker({
    pgPool: options.pool,
    taskList: Object.fromEntries(tasks),
    crontab: options.periodic.map((job) => `${job.cron} ${job.name}`).join('\n'),
    concurrency: options.concurrency,
    pollInterval: 1000,
    preset: { worker: { completeJobBatchDelay: COMPLETE_AFTER_MS } },
    noHandleSignals: true,
    events,
    logger: workerLog(options.log),
  })
  if (name === undefined) throw new Error('graphile-worker did not tell the name of its pool')
  const liveness = await keepAlive(options.pool, name, options.log)
  return {
    stop: async () => {
      await runner.stop()
      await liveness.stop()
    },
  }
}
