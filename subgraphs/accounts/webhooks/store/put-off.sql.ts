import { DELIVER_TO_ENDPOINT } from './endpoint-queue.sql.js'
import { PUBLISH_EVENT, RETRY_WEBHOOK } from './webhook-queue.sql.js'

/** What found no slot waits behind all other work: it came before its turn. */
export const PUT_OFF_PRIORITY = 20

/** How many deliveries that are due are looked at for jobs that were put off; those that were not come by themselves. */
const LOOKED_AT = 200

/**
 * Has the job $4 of the attempt that follows $3 others, which found no slot, come again in $7 milliseconds; none where the attempt was made
 * meanwhile. The delivery is locked: who records the attempt adds the next one's job under the same key, which this one must not replace.
 */
export const RESCHEDULE_ATTEMPT = {
  name: 'webhook_reschedule_attempt',
  text: `with waiting as materialized (
    select from accounts.webhook_delivery
      where tenant_id = $1 and id = $2 and attempt_count = $3::int and state = 'pending' and next_attempt_at is not null
      for update
  )
  select kernel.add_job($4::text, $5::json, job_key => $6::text, run_at => now() + $7 * interval '1 millisecond',
    priority => ${PUT_OFF_PRIORITY}) from waiting`,
}

export const RESCHEDULE = {
  name: 'webhook_reschedule',
  text: `select kernel.add_job($1::text, $2::json, run_at => now() + $3 * interval '1 millisecond',
    job_key => $4::text, priority => ${PUT_OFF_PRIORITY})`,
}

/** A job that waits and was put off. */
const IS_PUT_OFF = `job.priority = ${PUT_OFF_PRIORITY} and job.is_available`

/** The keys of the attempts that are due for longest, of deliveries that nobody has, whose jobs were put off. $1: tenant; $2: how many; $4: now. */
function attempts(name: string, which: string): string {
  return `(select key from (
      select '${name}:' || id as key from accounts.webhook_delivery
      where tenant_id = $1 and ${which} and next_attempt_at <= $4::timestamptz
        and (leased_until is null or leased_until <= $4::timestamptz)
      order by endpoint_id, next_attempt_at limit ${LOOKED_AT}) as due
    where (select count(*) from graphile_worker._private_jobs as job where job.key = due.key and ${IS_PUT_OFF}) > 0
    limit $2::int)`
}

/**
 * The same of events that were not taken up yet: nothing but their jobs tells of these. Nothing that follows the colon sorts behind the
 * upper end, whatever the database sorts by.
 */
const EVENTS = `(select key from graphile_worker._private_jobs as job
    where job.key > '${PUBLISH_EVENT}:' || $1::text || ':' and job.key < '${PUBLISH_EVENT}:' || $1::text || ':zz'
      and starts_with(job.key, '${PUBLISH_EVENT}:' || $1::text || ':') and ${IS_PUT_OFF}
    order by job.key limit $2::int)`

/** Keys in an array are looked up one by one in their index: PostgreSQL never reads the whole queue for them. $3: in how many milliseconds. */
function forward(keys: string): string {
  return `with first as materialized (
    select array(${keys}) as keys
  ), brought as (
    update graphile_worker._private_jobs as job set run_at = now() + $3 * interval '1 millisecond'
    where job.key = any (array(select unnest(keys) from first)) and job.is_available
      and job.run_at > now() + $3 * interval '1 millisecond'
    returning 1
  )
  select cardinality(keys) as found, case when exists (select from brought)
    then pg_notify('jobs:insert', json_build_object('r', random(), 'count', cardinality(keys))::text) end from first`
}

export const FORWARD_TO_CONTRACT = {
  name: 'webhook_forward_to_contract',
  text: forward(`${attempts(RETRY_WEBHOOK, 'endpoint_id is null')} union all ${EVENTS}`),
}

export const FORWARD_TO_ENDPOINT = {
  name: 'webhook_forward_to_endpoint',
  text: forward(attempts(DELIVER_TO_ENDPOINT, 'endpoint_id = $5')),
}
