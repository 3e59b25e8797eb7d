import { describe, expect, it } from 'vitest'
import { addEndpoint, endpointDeps } from '../../../test/harness/endpoints.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { CLAIM_FIRST, STANDING } from './store/endpoint-queue.sql.js'

const MADE = 20_000
const WAITING = 5_000

const harness = await startWebhooksHarness()
const event = { ...harness.event(), source: 'orders' }
const { id: endpointId } = await addEndpoint(endpointDeps(harness), event, { url: 'http://127.0.0.1:9/' })
await harness.rows(
  `insert into accounts.webhook_delivery (tenant_id, source, resource_id, endpoint_id, endpoint_sequence, id, type, url, body,
      state, attempt_count, failures, started_at, next_attempt_at, created_at)
    select $1, $2, $3, $4, n, 'c' || lpad(n::text, 24, '0'), 'order.updated', 'http://127.0.0.1:9/', '{}',
      case when n <= $5 then 'delivered' else 'pending' end, case when n <= $5 then 1 else 0 end, 0, now(),
      case when n > $5 then now() end, now()
    from generate_series(1, $5::int + $6::int) as n`,
  [event.tenantId, event.source, event.resourceId, endpointId, MADE, WAITING],
)
await harness.rows('analyze accounts.webhook_delivery')
const idOf = (sequence: number) => `c${String(sequence).padStart(24, '0')}`

describe('of an order with any number of events', () => {
  it('is known up to which its deliveries to endpoints are stored, without reading them', async () => {
    const values = [event.tenantId, event.source, event.resourceId]
    expect(await harness.rows(STANDING.text, values)).toMatchObject([{ fanned: MADE + WAITING }])
    expect((await readsOf(harness.rows, 'webhook_delivery', { text: STANDING.text, values })).rows).toBe(1)
  })

  it('the first attempt that is next is found without reading those that were made, or wait behind it', async () => {
    const claim = async (then: (values: unknown[]) => Promise<unknown>) => {
      const now = harness.clock.now()
      const end = new Date(now.getTime() + 60_000)
      return then([event.tenantId, idOf(MADE + WAITING), 0, now.toISOString(), end.toISOString()])
    }
    const { rows } = (await claim((values) =>
      readsOf(harness.rows, 'webhook_delivery', { text: CLAIM_FIRST.text, values }),
    )) as { rows: number }
    expect(rows).toBeLessThan(10)
    const leased = await harness.rows('select id from accounts.webhook_delivery where leased_until is not null')
    expect(leased).toEqual([{ id: idOf(MADE + 1) }])
    // As long as that is leased, nothing behind it is claimed.
    expect(await claim((values) => harness.rows(CLAIM_FIRST.text, values))).toEqual([])
  })
})
