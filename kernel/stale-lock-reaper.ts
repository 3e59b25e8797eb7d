import type { Pool, PoolClient } from 'pg'
import type { Logger } from './log.js'
import { EndedOnPurpose, releaseConnection } from './database-transaction.js'
import { PERIODIC } from './periodic-turns.js'

/** How often the jobs of workers that died are looked for. */
const REAP_MS = 5_000

/** A job that was just taken may belong to a worker that is not known to be alive yet. */
const SETTLED_SECONDS = 2

/** A worker begins a job as soon as it learns that it has taken it. */
const UNHEARD_SECONDS = 10

/** The lock by which other workers can tell that a worker is alive. */
export interface WorkerLock {
  /** Resolves with the reason once the lock is lost. */
  lost: Promise<unknown>
  stop: () => void
}

/**
 * graphile-worker keeps a job locked for four hours when its worker is killed. Here a worker holds an advisory lock under
 * its own name as long as it lives; the database frees it the moment the process dies, and the next worker that looks gives its
 * jobs back. It frees it too where only the connection is lost: the worker has to end then.
 * @param workerName what graphile-worker writes into `locked_by`: the id of the worker pool
 * @param isRunning whether this worker runs a job, or has just done so
 */
export async function holdWorkerLock(
  pool: Pool,
  { workerName, isRunning }: { workerName: string; isRunning: (jobId: string) => boolean },
  log: Logger,
): Promise<WorkerLock> {
  const connection = await pool.connect()
  let isLost = false
  const lost = new Promise<unknown>((resolve) => {
    connection.on('error', (error) => {
      isLost = true
      resolve(error)
    })
  })
  try {
    await connection.query('select pg_advisory_lock($1::int, hashtext($2))', [NAMESPACE, workerName])
  } catch (error) {
    releaseConnection(connection, error as Error)
    throw error
  }
  const reapSafely = (): void => {
    if (isLost) return
    const reap = async (): Promise<void> => {
      await reapStaleLocks(connection, workerName, log)
      await reapUnheard(connection, { workerName, isRunning }, log)
      await dropReplacedTurns(connection, log)
    }
    reap().catch((error: unknown) => {
      log.error({ err: error }, 'jobs of dead workers could not be looked for')
    })
  }
  reapSafely()
  const timer = setInterval(reapSafely, REAP_MS)
  return {
    lost,
    stop: () => {
      clearInterval(timer)
      // The end of the connection frees the lock.
      releaseConnection(connection, new EndedOnPurpose('the worker stops'))
    },
  }
}

/** The space of our worker names among the database's advisory locks. */
const NAMESPACE = 7041

async function reapStaleLocks(connection: PoolClient, workerName: string, log: Logger): Promise<void> {
  const { rows } = await connection.query<{ name: string }>(
    `select distinct locked_by as name from (select locked_by, locked_at from graphile_worker._private_jobs
        union all select locked_by, locked_at from graphile_worker._private_job_queues) as locked
      where locked_by is not null and locked_by <> $1 and locked_at < now() - interval '${SETTLED_SECONDS} seconds'`,
    [workerName],
  )
  for (const { name } of rows) {
    const { rows: tried } = await connection.query<{ dead: boolean }>(
      'select pg_try_advisory_lock($1::int, hashtext($2)) as dead',
      [NAMESPACE, name],
    )
    if (!tried[0]?.dead) continue
    log.warn({ worker: name }, 'a worker died; its jobs are given back')
    await connection.query(GIVE_BACK, [name, null])
    await connection.query('select pg_advisory_unlock($1::int, hashtext($2))', [NAMESPACE, name])
  }
}

/**
 * This worker's own jobs that it has never heard of: the answer that told it was lost with its connection, and as long as the worker
 * lives nobody else may give them back.
 */
async function reapUnheard(
  connection: PoolClient,
  { workerName, isRunning }: { workerName: string; isRunning: (jobId: string) => boolean },
  log: Logger,
): Promise<void> {
  const { rows } = await connection.query<{ id: string }>(
    `select id from graphile_worker._private_jobs
      where locked_by = $1 and locked_at < now() - interval '${UNHEARD_SECONDS} seconds'`,
    [workerName],
  )
  const unheard = rows.map(({ id }) => id).filter((id) => !isRunning(id))
  if (unheard.length === 0) return
  log.warn({ jobs: unheard.length }, 'jobs were taken that nobody has heard of; they are given back')
  await connection.query(GIVE_BACK, [workerName, unheard])
}

/**
 * Gives the jobs of a worker back ($2: only these), each under an id of its own: the worker may run one still, and deletes it by its id
 * when it is done (completeJobs.js), which has to leave what others have taken alone. A turn of periodic work behind which the next one
 * waits is dropped, and the queue of its kind is free.
 */
const GIVE_BACK = `with taken as (
    delete from graphile_worker._private_jobs where locked_by = $1 and ($2::bigint[] is null or id = any($2)) returning *),
  freed as (update graphile_worker._private_job_queues set locked_by = null, locked_at = null
    where locked_by = $1 and ($2::bigint[] is null or id in (select job_queue_id from taken)))
  insert into graphile_worker._private_jobs (job_queue_id, task_id, payload, priority, run_at, attempts, max_attempts, last_error,
    created_at, updated_at, key, revision, flags)
  select job_queue_id, task_id, payload, priority, run_at, attempts, max_attempts, last_error,
    created_at, now(), key, revision, flags from taken where job_queue_id is null or attempts < max_attempts order by id`

/**
 * Drops turns of periodic work that have failed after the next one came to wait: nobody tries them again. `runTurn` ends those that it
 * sees; one that was replaced just after it looked, or that a worker of an earlier release ran, would count as given up for ever.
 */
async function dropReplacedTurns(connection: PoolClient, log: Logger): Promise<void> {
  const { rowCount } = await connection.query(
    `delete from graphile_worker._private_jobs as turn using graphile_worker._private_job_queues as queue
      where queue.id = turn.job_queue_id and queue.queue_name like $1
        and turn.key is null and turn.attempts >= turn.max_attempts and turn.locked_at is null`,
    [`${PERIODIC}%`],
  )
  if (rowCount) log.warn({ turns: rowCount }, 'turns of periodic work have failed that the next ones replace')
}
