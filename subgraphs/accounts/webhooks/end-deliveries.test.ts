import { describe, expect, it } from 'vitest'
import { addEndpoint, endpointDeps, workOff } from '../../../test/harness/endpoints.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import type { ResourceEvent } from './deps.js'
import { deleteEndpoint, updateEndpoint } from './endpoints.js'
import { publishEvent } from './publish-event.js'

/** More than are ended at once. */
const BACKLOG = 2_500

const harness = await startWebhooksHarness()
const endpoints = endpointDeps(harness)

/** An endpoint with a backlog, each of a resource of its own. */
async function withBacklog(url: string) {
  const event = harness.event()
  const { id } = await addEndpoint(endpoints, event, { url })
  await harness.rows(
    `insert into accounts.webhook_delivery (tenant_id, source, resource_id, endpoint_id, endpoint_sequence, id, type, url, body,
        state, attempt_count, failures, started_at, next_attempt_at, created_at)
      select $1, 'payments', 'r' || n, $2, 1, 'c' || lpad(n::text, 24, '0'), 't', $3, '{}', 'pending', n % 2, n % 2, $4, $4, $4
      from generate_series(1, $5::int) as n`,
    [event.tenantId, id, url, harness.clock.now(), BACKLOG],
  )
  return { event, id, tenant: { id: event.tenantId } }
}

/** How many deliveries of a tenant are stored in each state, and why. */
async function stored({ tenantId }: ResourceEvent) {
  return harness.rows(
    `select state, ended_because as "endedBecause", count(*)::int from accounts.webhook_delivery
      where tenant_id = $1 group by 1, 2 order by 1, 2`,
    [tenantId],
  )
}

describe('an endpoint with a backlog', () => {
  it.each(['endpoint_disabled', 'endpoint_deleted'] as const)(
    'is changed without one of its deliveries, which show their end at once, and are ended by a job: %s',
    async (endedBecause) => {
      const { url, received } = await startReceiver()
      const { event, id, tenant } = await withBacklog(url)
      if (endedBecause === 'endpoint_deleted') await deleteEndpoint(endpoints, tenant, id)
      else await updateEndpoint(endpoints, tenant, id, { isEnabled: false })
      expect(await stored(event)).toEqual([{ state: 'pending', endedBecause: null, count: BACKLOG }])
      const shown = await harness.deliveries.list(tenant.id, {}, { limit: 2 })
      expect(shown).toMatchObject(Array(2).fill({ state: 'failed', nextAttemptAt: null, endedBecause }))
      expect(await harness.deliveries.list(tenant.id, { state: 'pending' }, { limit: 2 })).toEqual([])
      await workOff(harness, harness.depsFor(null))
      expect(await stored(event)).toEqual([{ state: 'failed', endedBecause, count: BACKLOG }])
      expect(received).toEqual([])
    },
  )

  it('that is on again before they are ended gets none of them, but what comes since, also of the same resources', async () => {
    const { url, received } = await startReceiver()
    const { event, id, tenant } = await withBacklog(url)
    const deps = harness.depsFor(null)
    await publishEvent(deps, event)
    await updateEndpoint(endpoints, tenant, id, { isEnabled: false })
    harness.clock.advance(1)
    await updateEndpoint(endpoints, tenant, id, { isEnabled: true })
    // Those that the job has not come to are taken up before it.
    await harness.rows(
      `update graphile_worker._private_jobs set run_at = now() + interval '1 day' where key like 'end-deliveries:%'`,
    )
    await publishEvent(deps, { ...event, sequence: 2 })
    const [replayed] = await harness.deliveries.list(tenant.id, { resourceId: 'r2' }, { limit: 1 })
    if (!replayed) throw new Error('there is no delivery')
    await harness.deliveries.replay({ id: tenant.id } as never, replayed)
    await harness.advance(120_000)
    await deps.queue.resume()
    await workOff(harness, deps)
    const ids = [replayed.id, (await harness.deliveriesOf(event))[1]?.id]
    expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort())
    await harness.advance(2 * 86_400_000)
    await workOff(harness, deps)
    expect(received).toHaveLength(2)
    expect(await stored(event)).toEqual([
      { state: 'delivered', endedBecause: null, count: 2 },
      { state: 'failed', endedBecause: 'endpoint_disabled', count: BACKLOG },
    ])
  })
})
