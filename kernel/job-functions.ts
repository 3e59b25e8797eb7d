/** `kernel.add_quiet_job(name, payload)`: as `quietJobs`, which took its place; processes of an earlier release call it still. */
const createQuietJobs = [
  `create function kernel.add_quiet_job(name text, payload json) returns void language plpgsql as $$
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
    $$`,
]

/**
 * `kernel.add_job`: adds a job and tells the workers, as graphile-worker's `add_job` does (000020.sql). That one takes arrays of
 * jobs, about whose lengths PostgreSQL guesses wrong, and compares them with the whole queue: with 5,000 jobs waiting it took 1.3 ms
 * for a job, and longer with each. This one looks each key up in its index. As there, a job that runs under the key keeps
 * running without it, and one that waits is replaced; one that a worker takes in the same moment loses nothing that was to be told.
 * @param beforehand a statement about other jobs with the key, before the job is added
 */
const jobAdder = (beforehand: string): string => `create or replace function kernel.add_job(name text, payload json,
    run_at timestamptz default null, max_attempts int default null, job_key text default null, priority int default null)
  returns bigint language plpgsql as $$
  #variable_conflict use_column
  declare
    task int;
    job bigint;
  begin
    select id into task from graphile_worker._private_tasks where identifier = add_job.name;
    if task is null then
      insert into graphile_worker._private_tasks (identifier) values (add_job.name)
        on conflict (identifier) do update set identifier = excluded.identifier returning id into task;
    end if;
    perform pg_notify('jobs:insert', json_build_object('r', random(), 'count', 1)::text);
    loop
      if add_job.job_key is not null then
        update graphile_worker._private_jobs as running
          set key = null, attempts = running.max_attempts, updated_at = now()
          where running.key = add_job.job_key and running.is_available is not true;
        ${beforehand}
      end if;
      insert into graphile_worker._private_jobs as waiting (task_id, payload, run_at, max_attempts, key, priority)
        values (task, coalesce(add_job.payload, '{}'), coalesce(add_job.run_at, now()),
          coalesce(add_job.max_attempts, 25), add_job.job_key, coalesce(add_job.priority, 0))
        on conflict (key) do update set job_queue_id = null, task_id = excluded.task_id, payload = excluded.payload,
          max_attempts = excluded.max_attempts, run_at = excluded.run_at, priority = excluded.priority,
          revision = waiting.revision + 1, flags = null, attempts = 0, last_error = null, updated_at = now()
          where waiting.locked_at is null
        returning id into job;
      -- Nothing is written where a worker has taken the job since it was looked for: it runs now.
      exit when job is not null;
    end loop;
    return job;
  end
$$`

const createJobAdder = [jobAdder('')]

/**
 * One that a worker has begun is never changed in its place: a worker that was taken for dead, so that its jobs were given back,
 * may run it still, and deletes it by its id when it is done (completeJobs.js), with what was to come next. What is added has an
 * id of its own.
 */
const addJobsUnderNewIds = [
  jobAdder(`delete from graphile_worker._private_jobs as begun
          where begun.key = add_job.job_key and begun.is_available and begun.attempts > 0;`),
]

/** `kernel.add_task(name)`: the number of a kind of jobs that no worker has made known yet; see `quietJobs`. */
const createTaskAdder = [
  `create function kernel.add_task(name text) returns int language plpgsql as $$
      declare
        task int;
      begin
        insert into graphile_worker._private_tasks (identifier) values (name)
          on conflict (identifier) do update set identifier = excluded.identifier returning id into task;
        return task;
      end
    $$`,
]

/** What this product has beside graphile-worker's own functions, by the names of its migrations. */
export const JOB_MIGRATIONS = [
  { name: '0002-quiet-jobs', statements: createQuietJobs },
  { name: '0011-add-jobs', statements: createJobAdder },
  { name: '0012-add-jobs-anew', statements: addJobsUnderNewIds },
  { name: '0013-add-tasks', statements: createTaskAdder },
] as const
