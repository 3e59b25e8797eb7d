import { hasLiveJob } from '../../../../kernel/jobs.js'
import { DELIVER_TO_ENDPOINT, endpointJob, hasEndpoints, IS_REPLAYED, NEXT_RUN_AT } from './endpoint-queue.sql.js'
import { INSERT_ATTEMPT } from './webhook-attempts.sql.js'
import { DUE_COLUMNS, type DueDelivery } from './webhook.entity.js'

/** The job that tells the tenant of an event: added by the subgraphs, with the event. */
export const PUBLISH_EVENT = 'publish-event'
/** The job of every attempt but the first. */
export const RETRY_WEBHOOK = 'retry-webhook'
/** Added with the erasure of a person: what tenants were told of them is kept no longer. */
export const FORGET_DELIVERIES = 'forget-deliveries'

/** Of jobs that found no slot: behind all other work, however many they are. */
export const PUT_OFF_PRIORITY = 20

/** What `OPEN` answers. */
export interface OpenedRow {
  attempted: number
  wanted: number
  held: boolean
  stored: boolean
  /** Whether the tenant has registered endpoints that are on, in the snapshot in which the event is taken up. */
  hasEndpoints: boolean
}

/** A delivery as it comes from the database: its time is text. */
export type DeliveryRow = Omit<DueDelivery, 'startedAt'> & { startedAt: string }

const DELIVERY_COLUMNS = `tenant_id, source, resource_id, sequence, id, type, url, public_client_id, body, state,
  attempt_count, failures, started_at, created_at`

/** The row of a new delivery; its event in $1 to $4, its contents from `first` on. */
function deliveryValues(first: number): string {
  const at = (offset: number): string => `$${first + offset}`
  return `$1::text, $2::text, $3::text, $4::int, ${at(0)}::text, ${at(1)}::text, ${at(2)}::text, ${at(3)}::text,
    ${at(4)}::text, 'pending', 0, 0, ${at(5)}::timestamptz, ${at(5)}::timestamptz`
}

const RESOURCE_IS_FREE = `(r.leased_until is null or r.leased_until <= $6::timestamptz)
  and greatest(r.wanted, excluded.wanted) > r.attempted`

/** An event's delivery is stored only before its first attempt is passed: what was passed without one stays so. */
export const OPEN = {
  name: 'webhook_open',
  text: `with resource as (
    insert into accounts.webhook_resource as r
      (tenant_id, source, resource_id, wanted, attempted, holder, leased_until)
    values ($1, $2, $3, $4, 0, $5, $7::timestamptz)
    on conflict (tenant_id, source, resource_id) do update set
      wanted = greatest(r.wanted, excluded.wanted),
      holder = case when ${RESOURCE_IS_FREE} then excluded.holder else r.holder end,
      leased_until = case when ${RESOURCE_IS_FREE} then excluded.leased_until else r.leased_until end
    returning wanted, attempted, holder
  ), delivery as (
    insert into accounts.webhook_delivery (${DELIVERY_COLUMNS})
    select ${deliveryValues(8)} from resource where $8::text is not null and attempted < $4
    on conflict (tenant_id, source, resource_id, sequence) do nothing
    returning id
  )
  select attempted, wanted, holder = $5 as held, exists (select from delivery) as stored,
    ${hasEndpoints('$1')} as "hasEndpoints" from resource`,
}

export const STORE = {
  name: 'webhook_store',
  text: `insert into accounts.webhook_delivery (${DELIVERY_COLUMNS}) values (${deliveryValues(5)})
    on conflict (tenant_id, source, resource_id, sequence) do nothing`,
}

/** One row, whether there is a delivery or not. */
export const FIND_AT = {
  name: 'webhook_find_at',
  text: `select ${hasEndpoints('$1')} as "hasEndpoints", (select row_to_json(found) from (
    select ${DUE_COLUMNS} from accounts.webhook_delivery
    where tenant_id = $1 and source = $2 and resource_id = $3 and sequence = $4) as found) as delivery`,
}

/**
 * How far a resource has come, and the lease for the next event or, after the last one that is wanted, its end. Both under
 * the row's lock: an event that others want meanwhile is either seen here or finds the resource free.
 */
function advance(at: { sequence: string; leasedUntil: string }): string {
  return `update accounts.webhook_resource set
      attempted = greatest(attempted, ${at.sequence}::int),
      leased_until = case when wanted > ${at.sequence}::int then ${at.leasedUntil}::timestamptz end`
}

export const ADVANCE = {
  name: 'webhook_advance',
  text: `${advance({ sequence: '$4', leasedUntil: '$6' })}
    where tenant_id = $1 and source = $2 and resource_id = $3 and holder = $5 returning wanted`,
}

export const RELEASE = {
  name: 'webhook_release',
  text: `update accounts.webhook_resource set leased_until = $5::timestamptz
    where tenant_id = $1 and source = $2 and resource_id = $3 and holder = $4 and leased_until is not null`,
}

/**
 * Nothing of an attempt is written where `attempt_count` shows that another worker has recorded it. What a replay ordered while it was
 * under way is left as it was ordered, and gets a job: its own counts one attempt less.
 */
export const RECORD = {
  name: 'webhook_record',
  text: `with delivery as (
    update accounts.webhook_delivery set attempt_count = $3::int + 1, leased_until = null,
      state = case when ${IS_REPLAYED} then state else $4::text end,
      failures = case when ${IS_REPLAYED} then failures else $5::int end,
      next_attempt_at = case when ${IS_REPLAYED} then next_attempt_at else $6::timestamptz end,
      delivered_at = case when $4::text = 'delivered' then $12::timestamptz else delivered_at end
    where tenant_id = $1 and id = $2 and attempt_count = $3::int
    returning url, next_attempt_at, ${NEXT_RUN_AT} as run_at
  ), ${INSERT_ATTEMPT}, recovered as (
    delete from accounts.webhook_endpoint endpoint using delivery
    where $4::text = 'delivered' and endpoint.tenant_id = $1 and endpoint.url_digest = md5(delivery.url)
  ), suffering as (
    insert into accounts.webhook_endpoint as endpoint (tenant_id, url, failing_since, marked_failing_at)
    select $1, url, $12::timestamptz, case when $4::text = 'failed' then $12::timestamptz end from delivery
    where $4::text <> 'delivered'
    on conflict (tenant_id, url_digest) do update set marked_failing_at = excluded.marked_failing_at
      where endpoint.marked_failing_at is null and excluded.marked_failing_at is not null
  ), resource as (
    ${advance({ sequence: '$18', leasedUntil: '$19' })}
    where $15::text is not null and tenant_id = $1 and source = $16 and resource_id = $17 and holder = $15
    returning wanted
  )
  select (select wanted from resource) as wanted,
    (select kernel.add_job('${RETRY_WEBHOOK}',
        json_build_object('tenantId', $1::text, 'deliveryId', $2::text, 'attemptCount', $3::int + 1),
        run_at => run_at, job_key => '${RETRY_WEBHOOK}:' || $2::text) is not null
      from delivery where next_attempt_at is not null) as scheduled`,
}

export const CLAIM = {
  name: 'webhook_claim',
  text: `update accounts.webhook_delivery set leased_until = $5::timestamptz
    where tenant_id = $1 and id = $2 and attempt_count = $3 and state = 'pending' and next_attempt_at is not null
      and endpoint_id is null and (leased_until is null or leased_until <= $4::timestamptz)
    returning ${DUE_COLUMNS}`,
}

/** Ends a lease early: only the very one that was taken, which its end tells apart. */
export const GIVE_BACK = {
  name: 'webhook_give_back',
  text: `update accounts.webhook_delivery set leased_until = null
    where tenant_id = $1 and id = $2 and leased_until = $3::timestamptz`,
}

/**
 * Has the job $5 of the attempt that follows $3 others come again when the lease on it ends, in $8 milliseconds at least; none where
 * nobody has it, or it was made. The delivery is locked: who records the attempt adds the next one's job under the same key, which this
 * one must not replace.
 */
export const WAIT_FOR_LEASE = {
  name: 'webhook_wait_for_lease',
  text: `with leased as materialized (
    select leased_until - $4::timestamptz as remaining from accounts.webhook_delivery
      where tenant_id = $1 and id = $2 and attempt_count = $3::int and state = 'pending'
        and next_attempt_at is not null and leased_until > $4::timestamptz
      for update
  )
  select kernel.add_job($5::text, $6::json, job_key => $7::text,
    run_at => now() + greatest(remaining, $8 * interval '1 millisecond')) from leased`,
}

/**
 * Has the job $4 of the attempt that follows $3 others, which found no slot, come again in $7 milliseconds; none where the attempt was made
 * meanwhile. The delivery is locked for the reason above.
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

/** As `eventJobKey`: the job of that event may wait for a slot. */
const STUCK_KEY = `concat_ws(':', '${PUBLISH_EVENT}', resource.tenant_id, resource.source, resource.resource_id,
      resource.wanted)`

/** @param name of the job that makes their next attempt */
function overdue(which: string, name: string): string {
  return `select tenant_id, id, attempt_count, endpoint_id from accounts.webhook_delivery as delivery
    where ${which} and next_attempt_at < $2::timestamptz and (leased_until is null or leased_until <= $1::timestamptz)
      and not ${hasLiveJob(`array['${name}:' || delivery.id]`)}
    order by next_attempt_at limit 500`
}

/**
 * What is left behind without a job comes from a worker that died. What has one waits for it: a tenant whose receivers hang has
 * thousands that are overdue for long, which would fill every round before what others have lost, and lose their backoff
 * each time. Endpoints apart: what waits for a dead one holds up no contract's address.
 */
export const RESUME = {
  name: 'webhook_resume',
  text: `with stuck as (
    select tenant_id, source, resource_id, wanted, ${STUCK_KEY} as key from accounts.webhook_resource as resource
    where leased_until <= $1::timestamptz and not ${hasLiveJob(`array[${STUCK_KEY}]`)}
    order by leased_until limit 500
  ), overdue as (
    (${overdue('endpoint_id is null', RETRY_WEBHOOK)}) union all
    (${overdue('endpoint_id is not null', DELIVER_TO_ENDPOINT)})
  )
  select
    (select count(kernel.add_job('${PUBLISH_EVENT}',
        json_build_object('tenantId', tenant_id, 'source', source, 'resourceId', resource_id, 'sequence', wanted),
        job_key => key))::int from stuck) as resources,
    (select count(case when endpoint_id is null then kernel.add_job('${RETRY_WEBHOOK}',
        json_build_object('tenantId', tenant_id, 'deliveryId', id, 'attemptCount', attempt_count),
        job_key => '${RETRY_WEBHOOK}:' || id)
      else ${endpointJob({ tenantId: 'tenant_id', endpointId: 'endpoint_id', id: 'id', attemptCount: 'attempt_count' })}
      end)::int from overdue) as deliveries`,
}

export const RESCHEDULE = {
  name: 'webhook_reschedule',
  text: `select kernel.add_job($1::text, $2::json, run_at => now() + $3 * interval '1 millisecond',
    job_key => $4::text, priority => ${PUT_OFF_PRIORITY})`,
}

export const FORGET = {
  name: 'webhook_forget',
  text: `with gone as (
    delete from accounts.webhook_delivery where tenant_id = $1 and source = $2 and resource_id = $3 returning id
  )
  delete from accounts.webhook_attempt where tenant_id = $1 and delivery_id in (select id from gone)`,
}
