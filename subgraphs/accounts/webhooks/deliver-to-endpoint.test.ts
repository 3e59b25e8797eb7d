import { describe, expect, it } from 'vitest'
import { addEndpoint, claimedDelivery, endpointDeps } from '../../../test/harness/endpoints.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { until } from '../../../test/harness/until.js'
import { losingItsAnswer, startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { deliverToEndpoint, endpointJob } from './deliver-to-endpoint.js'
import { publishEvent } from './publish-event.js'
import { replayDelivery } from './replay-delivery.js'
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

  it('is tried again on the schedule though another worker waited for its lease while it was recorded', async () => {
    const endpoint = await startReceiver((_message, response) => response.writeHead(500).end())
    const { deps, job } = await claimedDelivery(harness, endpoints, endpoint.url)

    // The record of the attempt, with the job of the next one, is made and not yet committed.
    const recording = await harness.db.pool.connect()
    await recording.query('begin')
    await recording.query(
      `update accounts.webhook_delivery set attempt_count = 1, leased_until = null where tenant_id = $1 and id = $2`,
      [job.tenantId, job.deliveryId],
    )
    const retry = endpointJob({ ...job, attemptCount: 1 })
    await recording.query(
      `select kernel.add_job($1, $2::json, run_at => now() + interval '5 seconds', job_key => $3)`,
      [retry.name, JSON.stringify(retry.payload), retry.key],
    )
    const waited = deliverToEndpoint(deps, job)
    await until('the other worker is held up', async () => {
      const held = await harness.rows(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return held.length > 0
    })
    await recording.query('commit')
    recording.release()
    await waited
    const jobs = await harness.rows<{ payload: object }>(
      'select payload from graphile_worker._private_jobs where key = $1',
      [retry.key],
    )
    expect(jobs).toEqual([{ payload: retry.payload }])
  })

  it('whose worker died between the POST and its record is repeated under the same id when its lease ends', async () => {
    const endpoint = await startReceiver()
    const { event, deps, delivery, job } = await claimedDelivery(harness, endpoints, endpoint.url)
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

  it.each([204, 500])('is made once more where a replay was ordered while it had %d', async (status) => {
    const event = harness.event()
    const tenant = { id: event.tenantId, products: [], requestId: 'r1' }
    const statuses = [500, status]
    const endpoint = await startReceiver((_message, response) => {
      const answer = (): void => void response.writeHead(statuses.shift() ?? 204).end()
      if (statuses.length !== 1) return answer()
      void harness
        .deliveriesOf(event)
        .then(([record]) =>
          replayDelivery({ webhookDeliveries: harness.deliveries }, tenant, { deliveryId: String(record?.id) }),
        )
        .then(answer)
    })
    const { id: endpointId } = await addEndpoint(endpoints, event, { url: endpoint.url })
    const deps = harness.depsFor(null)
    await publishEvent(deps, event)
    const [delivery] = await harness.deliveriesOf(event)
    const job = { tenantId: event.tenantId, endpointId, deliveryId: String(delivery?.id) }
    await deliverToEndpoint(deps, { ...job, attemptCount: 0 })
    await harness.rows('update accounts.webhook_delivery set failures = 9 where id = $1', [job.deliveryId])
    harness.clock.advance(1)
    await deliverToEndpoint(deps, { ...job, attemptCount: 1 })
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'pending', failures: 0, attemptCount: 2 }])
    await deliverToEndpoint(deps, { ...job, attemptCount: 2 })
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'delivered', attemptCount: 3 }])
    expect(
      await harness.rows(
        `select payload->>'attemptCount' as count, run_at <= now() as "isDue" from graphile_worker._private_jobs where key = $1`,
        [`deliver-to-endpoint:${job.deliveryId}`],
      ),
    ).toEqual([{ count: '2', isDue: true }])
  })
})
