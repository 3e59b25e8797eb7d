import { describe, expect, it } from 'vitest'
import { addEndpoint, endpointDeps } from '../../../test/harness/endpoints.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import type { ResourceEvent } from './deps.js'
import { eventJobKey } from './store/webhook-queue.js'

/** More than one round of `resume` takes. */
const MANY = 501

const harness = await startWebhooksHarness()
const { queue } = harness.depsFor(null)

const ago = (ms: number): Date => new Date(harness.clock.now().getTime() - ms)

/** The ids of deliveries that should have been tried again, without jobs: to the contract's address, or to an endpoint. */
async function addOverdue(event: ResourceEvent, count: number, at: Date, endpointId: string | null): Promise<string[]> {
  const rows = await harness.rows<{ id: string }>(
    `insert into accounts.webhook_delivery (tenant_id, source, resource_id, sequence, endpoint_id, endpoint_sequence, id, type,
        url, body, state, attempt_count, failures, started_at, next_attempt_at, created_at)
      select $1, $2, $3, case when $4::text is null then n end, $4, case when $4::text is not null then n end, $3 || n, 't', 'u',
        '{}', 'pending', 1, 1, $5, $5, $5 from generate_series(1, $6::int) n returning id`,
    [event.tenantId, event.source, event.resourceId, endpointId, at, count],
  )
  return rows.map(({ id }) => id)
}

/** A resource whose first attempt was lost with its process. */
async function addStuck(event: ResourceEvent, leasedUntil: Date): Promise<void> {
  await harness.rows(
    `insert into accounts.webhook_resource (tenant_id, source, resource_id, wanted, attempted, holder, leased_until)
      values ($1, $2, $3, 1, 0, 'dead', $4)`,
    [event.tenantId, event.source, event.resourceId, leasedUntil],
  )
}

/** Jobs with these keys that wait for a place of the worker until tomorrow. */
async function addWaitingJobs(name: string, keys: readonly string[]): Promise<void> {
  await harness.rows(
    `select kernel.add_job($1, '{}', run_at => now() + interval '1 day', job_key => key) from unnest($2::text[]) key`,
    [name, keys],
  )
}

/** How many jobs with these keys are due, and how many are not. */
async function jobsOf(keys: readonly string[]): Promise<{ due: number; waiting: number }> {
  const [row] = await harness.rows<{ due: number; waiting: number }>(
    `select count(*) filter (where run_at <= now())::int as due, count(*) filter (where run_at > now())::int as waiting
      from graphile_worker.jobs where key = any ($1)`,
    [keys],
  )
  if (!row) throw new Error('there is no count')
  return row
}

describe('what a worker that died has left behind', () => {
  it.each(['retry-webhook', 'deliver-to-endpoint'])(
    "is found, however many of another tenant's deliveries are due for longer and wait for a place: %s",
    async (name) => {
      const [slow, lost] = [harness.event(), harness.event()]
      const endpointOf = async (event: ResourceEvent): Promise<string | null> =>
        name === 'retry-webhook'
          ? null
          : (await addEndpoint(endpointDeps(harness), event, { url: 'http://127.0.0.1:9/' })).id
      const keysOf = (ids: readonly string[]): string[] => ids.map((id) => `${name}:${id}`)
      const waiting = keysOf(await addOverdue(slow, MANY, ago(3_600_000), await endpointOf(slow)))
      await addWaitingJobs(name, waiting)
      const left = keysOf(await addOverdue(lost, 1, ago(120_000), await endpointOf(lost)))
      await queue.resume()
      expect(await jobsOf(left)).toEqual({ due: 1, waiting: 0 })
      // Nor do they lose the time after which they were to come again.
      expect(await jobsOf(waiting)).toEqual({ due: 0, waiting: MANY })
    },
  )

  it("is found, however many of another tenant's resources wait for a place", async () => {
    const lost = harness.event()
    const { tenantId } = harness.event()
    const slow = Array.from({ length: MANY }, () => ({ ...harness.event(), tenantId }))
    for (const event of slow) await addStuck(event, ago(3_600_000))
    await addWaitingJobs('publish-event', slow.map(eventJobKey))
    await addStuck(lost, ago(120_000))
    expect(await queue.resume()).toMatchObject({ resources: 1 })
    expect(await jobsOf([eventJobKey(lost)])).toEqual({ due: 1, waiting: 0 })
  })
})
