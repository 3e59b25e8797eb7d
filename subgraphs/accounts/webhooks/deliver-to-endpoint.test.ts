import { describe, expect, it } from 'vitest'
import { addEndpoint, endpointDeps } from '../../../test/harness/endpoints.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { losingItsAnswer, startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { deliverToEndpoint } from './deliver-to-endpoint.js'
import { publishEvent } from './publish-event.js'
import { LEASE_MS } from './store/webhook-queue.js'

const harness = await startWebhooksHarness()
const endpoints = endpointDeps(harness)

describe('an attempt at an endpoint', () => {
  it.each([0, 1])('after %d others is made the next time where its claim had no answer', async (attemptCount) => {
    const statuses = [...Array<number>(attemptCount).fill(500), 204]
    const endpoint = await startReceiver((_message, response) => response.writeHead(statuses.shift() ?? 500).end())
    const event = harness.event()
    const { id: endpointId } = await addEndpoint(endpoints, event, { url: endpoint.url })
    const deps = harness.depsFor(null)
    await publishEvent(deps, event)
    const [delivery] = await harness.deliveriesOf(event)
    const job = { tenantId: event.tenantId, endpointId, deliveryId: String(delivery?.id) }
    if (attemptCount > 0) await deliverToEndpoint(deps, { ...job, attemptCount: 0 })
    const claim = losingItsAnswer(deps.endpointQueue.claim)
    const failing = { ...deps, endpointQueue: { ...deps.endpointQueue, claim } }
    await expect(deliverToEndpoint(failing, { ...job, attemptCount })).rejects.toThrow('no answer')
    await deliverToEndpoint(deps, { ...job, attemptCount })
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'delivered', attemptCount: attemptCount + 1 }])
  })

  it('whose worker died between the POST and its record is repeated under the same id when its lease ends', async () => {
    const endpoint = await startReceiver()
    const event = harness.event()
    const { id: endpointId } = await addEndpoint(endpoints, event, { url: endpoint.url })
    const deps = harness.depsFor(null)
    await publishEvent(deps, event)
    const [delivery] = await harness.deliveriesOf(event)
    const job = { tenantId: event.tenantId, endpointId, deliveryId: String(delivery?.id), attemptCount: 0 }
    const leasedUntil = new Date(harness.clock.now().getTime() + LEASE_MS)
    expect(await deps.endpointQueue.claim(job, leasedUntil)).toBeDefined()
    // The one that has it is dead; a second worker finds it taken until its lease is over.
    await deliverToEndpoint(deps, job)
    expect(endpoint.received).toHaveLength(0)
    const [again] = await harness.rows<{ inMs: number }>(
      `select extract(epoch from run_at - now())::float * 1000 as "inMs" from graphile_worker.jobs where key = $1`,
      [`deliver-to-endpoint:${job.deliveryId}`],
    )
    expect(again?.inMs).toBeGreaterThan(0)
    expect(again?.inMs).toBeLessThanOrEqual(LEASE_MS)
    harness.clock.advance(LEASE_MS)
    await deliverToEndpoint(deps, job)
    expect(endpoint.received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery?.id])
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'delivered', attemptCount: 1 }])
  })
})
