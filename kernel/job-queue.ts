import { run, type NamedStatement, type Queryable } from './database.js'

/** The jobs of a kind that could run now. */
export interface WaitingJobs {
  /** What they do. */
  name: string
  due: number
  /** Those that have used up their tries: nobody runs them any more. */
  failed: number
  /** Since when the oldest that could run waits; null where none does. */
  oldestDueAt: string | null
}

/** As far as a long queue is counted. */
const COUNTED_MAX = 100_000

const READ: NamedStatement = {
  name: 'job_queue_read',
  text: `select identifier as name, count(*) filter (where attempts < max_attempts)::int as due,
      count(*) filter (where attempts >= max_attempts)::int as failed,
      min(run_at) filter (where attempts < max_attempts and locked_at is null) as "oldestDueAt"
    from (select task_id, attempts, max_attempts, run_at, locked_at from graphile_worker._private_jobs
      where run_at <= now() limit ${COUNTED_MAX}) as job
    join graphile_worker._private_tasks as task on task.id = job.task_id group by identifier order by identifier`,
}

/** The queue by kind of job: what could run now, of which 100,000 are counted at most. */
export function readJobQueue(pool: Queryable): Promise<WaitingJobs[]> {
  return run<WaitingJobs & Record<string, unknown>>(pool, READ, [])
}
