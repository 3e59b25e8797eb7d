/** As far as graphile-worker counts. It waits six hours at most before a try, so that the last one is 22 years away. */
export const TRIES_MAX = 32_767

/**
 * A statement for a migration: jobs of these kinds that were added without a key, so that nothing adds them again, are tried for as
 * long as it takes, and those that have used up their tries now. It does nothing where there are no tables of jobs.
 */
export function retryForGood(kinds: readonly string[]): string {
  const names = kinds.map((kind) => `'${kind}'`).join(', ')
  return `do $$ begin
    if to_regclass('graphile_worker._private_jobs') is not null then
      update graphile_worker._private_jobs as job
        set max_attempts = ${TRIES_MAX},
          attempts = case when job.attempts < job.max_attempts then job.attempts else 0 end,
          run_at = case when job.attempts < job.max_attempts then job.run_at else now() end
        from graphile_worker._private_tasks as task
        where task.id = job.task_id and task.identifier in (${names}) and job.key is null;
    end if;
  end $$`
}
