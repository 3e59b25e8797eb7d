import { INSERT_ATTEMPT } from './webhook-attempts.sql.js'

/** The job of every attempt at a registered endpoint. A worker of a release that knows no endpoints leaves it alone. */
export const DELIVER_TO_ENDPOINT = 'deliver-to-endpoint'

/**
 * Adds the job of a delivery's next attempt.
 * @param at the SQL of its values
 */
export function endpointJob(
  at: { tenantId: string; endpointId: string; id: string; attemptCount: string },
  runAt = '',
): string {
  return `kernel.add_job('${DELIVER_TO_ENDPOINT}', json_build_object('tenantId', ${at.tenantId},
    'endpointId', ${at.endpointId}, 'deliveryId', ${at.id}, 'attemptCount', ${at.attemptCount}), ${runAt}
    job_key => '${DELIVER_TO_ENDPOINT}:' || ${at.id})`
}

/** Whether a tenant has an endpoint that is on: one look into an index, in the statement that takes an event up. */
export function hasEndpoints(tenantId: string): string {
  return `exists (select from accounts.registered_endpoint as endpoint where endpoint.tenant_id = ${tenantId}
    and endpoint.is_enabled)`
}

/** How far a resource has come: $1 to $3. */
export const STANDING = {
  name: 'webhook_endpoint_standing',
  text: `select ${hasEndpoints('$1')} as "hasEndpoints",
    coalesce((select attempted from accounts.webhook_resource
      where tenant_id = $1 and source = $2 and resource_id = $3), 0) as attempted,
    coalesce((select max(endpoint_sequence) from accounts.webhook_delivery
      where tenant_id = $1 and source = $2 and resource_id = $3 and endpoint_id is not null), 0) as fanned`,
}

/** The deliveries of an event to each endpoint that wants its type, once, and the jobs of their first attempts. $7: an id for each. */
export const FAN_OUT = {
  name: 'webhook_fan_out',
  text: `with endpoint as (
    select id, url, row_number() over (order by id) as place from accounts.registered_endpoint
    where tenant_id = $1 and is_enabled and (event_types is null or $5::text = any (event_types))
  ), delivery as (
    insert into accounts.webhook_delivery (tenant_id, source, resource_id, endpoint_id, endpoint_sequence, id, type, url,
        body, state, attempt_count, failures, started_at, next_attempt_at, created_at)
      select $1, $2, $3, id, $4::int, ($7::text[])[place], $5, url, $6, 'pending', 0, 0, $8::timestamptz, $8::timestamptz,
        $8::timestamptz
      from endpoint where place <= array_length($7::text[], 1)
    on conflict (tenant_id, endpoint_id, source, resource_id, endpoint_sequence) where endpoint_id is not null do nothing
    returning id, endpoint_id
  )
  select count(${endpointJob({ tenantId: '$1::text', endpointId: 'endpoint_id', id: 'id', attemptCount: '0' })})::int
    as added from delivery`,
}

const CLAIMED = `delivery.tenant_id as "tenantId", delivery.id, delivery.source, delivery.resource_id as "resourceId",
  delivery.endpoint_sequence as sequence, delivery.type, delivery.url, delivery.public_client_id as "publicClientId",
  delivery.body, delivery.attempt_count as "attemptCount", delivery.failures, delivery.started_at as "startedAt",
  json_build_object('tenantId', endpoint.tenant_id, 'id', endpoint.id, 'secret', endpoint.secret,
    'previousSecret', endpoint.previous_secret, 'previousUntil', endpoint.previous_until,
    'oldestSecret', endpoint.oldest_secret, 'oldestUntil', endpoint.oldest_until,
    'secretsBetween', endpoint.secrets_between) as secrets`

/** Whether an endpoint takes a delivery: it is on, and was not switched off since that was ordered. */
const TAKES = `endpoint.is_enabled and (endpoint.ended_until is null or delivery.started_at > endpoint.ended_until)`

/** Leases a delivery. It goes where its endpoint is now. $1: tenant; $4: now; $5: the lease's end. */
function claim(which: string): string {
  return `update accounts.webhook_delivery as delivery set leased_until = $5::timestamptz, url = endpoint.url
    from accounts.registered_endpoint as endpoint
    where delivery.tenant_id = $1 and ${which} and delivery.state = 'pending'
      and delivery.next_attempt_at is not null
      and (delivery.leased_until is null or delivery.leased_until <= $4::timestamptz)
      and endpoint.tenant_id = delivery.tenant_id and endpoint.id = delivery.endpoint_id and ${TAKES}
    returning ${CLAIMED}`
}

/** A certain attempt, $3, of a delivery, $2. */
export const CLAIM_AGAIN = {
  name: 'webhook_endpoint_claim_again',
  text: claim('delivery.id = $2 and delivery.attempt_count = $3::int'),
}

/**
 * The first attempt that is next at the endpoint and resource of a delivery, $2: of the lowest event that has had none, which the
 * database finds without reading those that wait behind it.
 * While that one is leased nothing is claimed, so that the order holds; who has it goes on with the rest.
 */
export const CLAIM_FIRST = {
  name: 'webhook_endpoint_claim_first',
  text: claim(`delivery.attempt_count = $3::int and delivery.id = (
      select earliest.id from accounts.webhook_delivery as asked, lateral (
        select id from accounts.webhook_delivery as waiting
          where waiting.tenant_id = asked.tenant_id and waiting.endpoint_id = asked.endpoint_id
            and waiting.source = asked.source and waiting.resource_id = asked.resource_id
            and waiting.state = 'pending' and waiting.attempt_count = 0
            and waiting.started_at > coalesce((select ended_until from accounts.registered_endpoint as endpoint
              where endpoint.tenant_id = $1 and endpoint.id = asked.endpoint_id), '-infinity')
          order by waiting.endpoint_sequence limit 1) as earliest
      where asked.tenant_id = $1 and asked.id = $2)`),
}

/** Ends a lease early, $3: the very one, on the delivery, $2, or on the one that was next before it. */
export const GIVE_BACK_AT_ENDPOINT = {
  name: 'webhook_endpoint_give_back',
  text: `update accounts.webhook_delivery as claimed set leased_until = null from accounts.webhook_delivery as asked
    where asked.tenant_id = $1 and asked.id = $2 and claimed.tenant_id = asked.tenant_id
      and claimed.endpoint_id = asked.endpoint_id and claimed.source = asked.source
      and claimed.resource_id = asked.resource_id and claimed.leased_until = $3::timestamptz`,
}

/** Ends a delivery whose endpoint is off or gone, as it was ordered at the very moment in which that happened. */
export const END_IF_OFF = {
  name: 'webhook_endpoint_end',
  text: `update accounts.webhook_delivery as delivery set state = 'failed', next_attempt_at = null,
      ended_because = case when exists (select from accounts.registered_endpoint as endpoint
        where endpoint.tenant_id = $1 and endpoint.id = delivery.endpoint_id)
        then 'endpoint_disabled' else 'endpoint_deleted' end
    where tenant_id = $1 and id = $2 and state = 'pending' and not exists (
      select from accounts.registered_endpoint as endpoint
      where endpoint.tenant_id = $1 and endpoint.id = delivery.endpoint_id and ${TAKES})`,
}

/** Ends some deliveries, $5, that were open when their endpoint was switched off or deleted, $3. What was replayed since then stays. */
export const END_SOME = {
  name: 'webhook_endpoint_end_some',
  text: `update accounts.webhook_delivery set state = 'failed', next_attempt_at = null, ended_because = $4
    where tenant_id = $1 and id = any (array(select id from accounts.webhook_delivery
        where tenant_id = $1 and endpoint_id = $2 and next_attempt_at is not null and state = 'pending'
          and started_at <= $3::timestamptz limit $5::int))
      and state = 'pending' and started_at <= $3::timestamptz
    returning id`,
}

/** Whether a replay was ordered since the attempt was taken up: it began the schedule anew. */
export const IS_REPLAYED = '(started_at <> $14::timestamptz and ended_because is null)'

/** When the job of the next attempt is due: that of a replay at once. */
export const NEXT_RUN_AT = `case when ${IS_REPLAYED} then now() else $7::timestamptz end`

/**
 * Nothing is written where `attempt_count` shows that another worker has recorded the attempt. A delivery that was ended
 * meanwhile stays so, unless it came through; what a replay ordered meanwhile is left as it was ordered.
 */
export const RECORD_AT_ENDPOINT = {
  name: 'webhook_endpoint_record',
  text: `with delivery as (
    update accounts.webhook_delivery set attempt_count = $3::int + 1, leased_until = null,
      failures = case when ${IS_REPLAYED} then failures else $5::int end,
      state = case when ${IS_REPLAYED} then state
        when ended_because is not null and $4::text = 'pending' then 'failed' else $4::text end,
      next_attempt_at = case when ${IS_REPLAYED} then next_attempt_at
        when ended_because is null then $6::timestamptz end,
      ended_because = case when $4::text = 'delivered' then null else ended_because end,
      delivered_at = case when $4::text = 'delivered' then $12::timestamptz else delivered_at end
    where tenant_id = $1 and id = $2 and attempt_count = $3::int
    returning id, endpoint_id, next_attempt_at, ${NEXT_RUN_AT} as run_at
  ), ${INSERT_ATTEMPT}
  select ${endpointJob(
    { tenantId: '$1::text', endpointId: 'endpoint_id', id: '$2::text', attemptCount: '$3::int + 1' },
    'run_at => run_at,',
  )} is not null as scheduled from delivery where next_attempt_at is not null`,
}

/** How an endpoint does, after an attempt. A statement of its own: in one with the delivery it could lock against an end. */
export const NOTE_ENDPOINT = {
  name: 'webhook_endpoint_note',
  text: `update accounts.registered_endpoint set
      failing_since = case when $3::text <> 'delivered' then coalesce(failing_since, $4::timestamptz) end,
      marked_failing_at = case when $3::text = 'failed' then coalesce(marked_failing_at, $4::timestamptz)
        when $3::text = 'pending' then marked_failing_at end
    where tenant_id = $1 and id = $2 and case $3::text
      when 'delivered' then failing_since is not null
      when 'failed' then marked_failing_at is null
      else failing_since is null end`,
}
