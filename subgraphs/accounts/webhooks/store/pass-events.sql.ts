import { JOB_ORIGIN } from '../../../../kernel/jobs.js'
import { hasEndpoints } from './endpoint-queue.sql.js'
import { PUBLISH_EVENT } from './webhook-queue.sql.js'

/** The job of several events whose resources name no address themselves: added by the subgraphs, with the events. */
export const PUBLISH_EVENTS = 'publish-events'

/** Whether somebody is told of a tenant's events that go to no address of their own. */
function isTold(tenantId: string): string {
  return `(${hasEndpoints(tenantId)} or exists (select from accounts.integration as standing_in
    where standing_in.tenant_id = ${tenantId} and standing_in.is_default and standing_in.webhook_url is not null))`
}

/**
 * Passes the events, $1 as a JSON array, of which nobody is told, with all of their resources before them, and adds the job of
 * each of the others, $2 the span that it links to. A resource without a lease has nothing under way: no delivery is stored of what
 * it has not come to yet. One with a lease is left to the job, which finds what the lease's holder has not done.
 * Resources are locked in one order, so that two that pass the same ones wait, and do not stop, each other.
 */
export const PASS_EVENTS = {
  name: 'webhook_pass_events',
  text: `with event as (
    select "tenantId" as tenant_id, source, "resourceId" as resource_id, max(sequence) as sequence
    from json_to_recordset($1::json) as given ("tenantId" text, source text, "resourceId" text, sequence int)
    group by "tenantId", source, "resourceId"
  ), passed as (
    insert into accounts.webhook_resource as r (tenant_id, source, resource_id, wanted, attempted, holder)
    select tenant_id, source, resource_id, sequence, sequence, '' from event where not ${isTold('event.tenant_id')}
    order by tenant_id, source, resource_id
    on conflict (tenant_id, source, resource_id) do update set
      wanted = greatest(r.wanted, excluded.wanted), attempted = greatest(r.attempted, excluded.attempted)
      where r.leased_until is null
    returning r.tenant_id, r.source, r.resource_id
  )
  select count(kernel.add_job('${PUBLISH_EVENT}', json_strip_nulls(json_build_object('tenantId', tenant_id,
    'source', source, 'resourceId', resource_id, 'sequence', sequence, '${JOB_ORIGIN}', $2::text))))::int as "handedOn"
  from event where (tenant_id, source, resource_id) not in (select tenant_id, source, resource_id from passed)`,
}
