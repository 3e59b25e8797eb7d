import type { EntityManager } from '@mikro-orm/postgresql'
import { EventEmitter } from 'node:events'
import { run as runWorker, runMigrations, type Runner, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Clock } from './clock.js'
import { executeIn } from './database.js'
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
}

/**
 * Adds a job in the transaction of `em`.
 * Jobs are timed by the database's clock; `runAt` is product time, which sandbox and tests may have moved ahead.
 */
export async function addJob(em: EntityManager, clock: Clock, job: JobRequest): Promise<void> {
  const runAt = job.runAt ? new Date(job.runAt.getTime() - clock.aheadMs()) : null
  await executeIn(
    em,
    'select graphile_worker.add_job(?::text, ?::json, run_at => ?::timestamptz, max_attempts => ?::int, job_key => ?::text)',
    [job.name, JSON.stringify(job.payload), runAt?.toISOString() ?? null, job.maxAttempts ?? 25, job.key ?? null],
  )
}

/** Brings the job tables up to date. Every process does this before it adds its first job. */
export async function migrateJobs(pool: Pool, log: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: workerLog(log) })
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
