import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { SpanKind } from '@opentelemetry/api'
import { run as startRunner, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import { releasedOnce } from './release-once.js'
import { openRunningJobs } from './running-jobs.js'
import { holdWorkerLock } from './stale-lock-reaper.js'
import { JOB_ORIGIN, type JobKind, type PeriodicJob } from './jobs.js'
import type { Logger } from './log.js'
import { cronLine, runTurn } from './periodic-turns.js'
import { linksTo, traced } from './tracing.js'
import { workerLog } from './worker-log.js'

/** What a worker works off, and how much of it at once. */
export interface WorkerOptions {
  /** It has to have a few more connections than jobs run at once. */
  pool: Pool
  kinds: readonly JobKind<never>[]
  periodic: readonly PeriodicJob[]
  concurrency: number
  log: Logger
}

/** How long the outcomes of jobs gather before they are written together. A crash in between runs the jobs once more. */
const GATHER_MS = 5

/** How long a worker that is told to end waits for its jobs; what is not done then runs again, under another name. */
const STOP_MS = 30_000

/**
 * How long a worker that ends by itself may take, since it takes no more jobs meanwhile. What it still runs then goes on, and is given to
 * another as well: that is what every job is made for.
 */
const ENDING_MS = 10_000

/** How long to wait before a worker starts again, from the first try to the last. */
const RESTART_DELAYS_MS = [100, 1_000, 5_000, 15_000] as const

/**
 * Works off jobs until stopped. A worker that loses the database (a restart, a failover) ends, since other workers take it for
 * dead by then, and starts again under another name.
 * @throws Error where two kinds of work have one name
 */
export async function startWorker(options: WorkerOptions): Promise<{ stop: () => Promise<void> }> {
  const { log } = options
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  let current: WorkerRun | undefined = await startRun(options)

  async function startAgain(): Promise<WorkerRun | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await delay(RESTART_DELAYS_MS[attempt] ?? RESTART_DELAYS_MS.at(-1), undefined, { signal: stopping.signal })
        return await startRun(options)
      } catch (error) {
        if (stopping.signal.aborted) return undefined
        log.error({ err: error }, 'the worker could not start again yet')
      }
    }
  }

  async function supervise(): Promise<void> {
    while (current) {
      const why: unknown = await Promise.race([current.ended, stopped])
      if (!stopping.signal.aborted) log.error({ err: why }, 'the worker ended by itself; it starts again')
      await current.stop(stopping.signal.aborted ? STOP_MS : ENDING_MS)
      current = stopping.signal.aborted ? undefined : await startAgain()
    }
  }

  const supervised = supervise()
  return {
    stop: async () => {
      stopping.abort()
      await supervised
    },
  }
}

type Task = (payload: unknown, helpers: { job: { id: string } }) => Promise<void>

/** @param id of the job */
type Run = (payload: unknown, id: string) => Promise<void>

/** One life of a worker. */
interface WorkerRun {
  /** Why it ended, once it has; it never rejects. */
  ended: Promise<unknown>
  /** @param waitMs how long its jobs are waited for */
  stop: (waitMs: number) => Promise<void>
}

function tracedJob<Result>(name: string, run: () => Promise<Result>, origin?: unknown): Promise<Result> {
  return traced(`job ${name}`, { kind: SpanKind.CONSUMER, links: linksTo(origin) }, run)
}

/** Runs a job on what it was queued with, as it was given. */
function runJob(kind: JobKind<never>, queued: unknown): Promise<void> {
  const { [JOB_ORIGIN]: origin, ...payload } = queued as Record<string, unknown>
  return tracedJob(kind.name, () => kind.run(payload as never), origin)
}

async function startRun(options: WorkerOptions): Promise<WorkerRun> {
  const { pool, kinds, periodic, concurrency, log } = options
  const tasks = new Map<string, Task>()
  const running = openRunningJobs()
  const add = (task: string, run: Run): void => {
    // The second would run in place of the first, and nobody would see it.
    if (tasks.has(task)) throw new Error(`two kinds of work have the name ${task}`)
    tasks.set(task, (payload, { job }) => running.during(job.id, () => run(payload, job.id)))
  }
  for (const kind of kinds) add(kind.name, (payload) => runJob(kind, payload))
  for (const job of periodic)
    add(job.name, (_, id) => runTurn({ pool, log }, id, { ...job, run: () => tracedJob(job.name, () => job.run()) }))
  const events = new EventEmitter() as WorkerEvents
  let name: string | undefined
  events.on('pool:create', ({ workerPool }) => {
    name = workerPool.id
  })
  const runner = await startRunner({
    pgPool: releasedOnce(pool),
    taskList: Object.fromEntries(tasks),
    crontab: periodic.map(cronLine).join('\n'),
    concurrency,
    pollInterval: 1000,
    // Without gathering, graphile-worker 0.18 awaits neither of the two (worker.js, `failJob` and `completeJob`): one that
    // fails would be an unhandled rejection, and end the process.
    preset: { worker: { completeJobBatchDelay: GATHER_MS, failJobBatchDelay: GATHER_MS } },
    noHandleSignals: true,
    events,
    logger: workerLog(log),
  })
  // One write of an outcome that fails makes graphile-worker 0.18 end, and it may wait for ever for what it has miscounted then
  // (main.js, `batch`): it takes no more jobs, and holds what it has.
  let isStuck = false
  const stuck = once(events, 'pool:gracefulShutdown').then(async (): Promise<unknown> => {
    await delay(ENDING_MS, undefined, { ref: false })
    isStuck = true
    return new Error('the worker began to end, and has not ended')
  })
  const ended = runner.promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (name === undefined) throw new Error('graphile-worker did not tell the name of its pool')
  const lockOf = { workerName: name, isRunning: running.has }
  const workerLock = await holdWorkerLock(pool, lockOf, log).catch(async (error: unknown) => {
    await runner.stop().catch(() => undefined)
    throw error
  })
  return {
    ended: Promise.race([ended, workerLock.lost, stuck]),
    stop: async (waitMs) => {
      // It may have ended already, which is what was wanted. Without a database it tries to write outcomes for minutes.
      if (!isStuck) await Promise.race([runner.stop().catch(() => undefined), delay(waitMs, undefined, { ref: false })])
      workerLock.stop()
    },
  }
}
