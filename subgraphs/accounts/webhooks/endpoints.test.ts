import { describe, expect, it } from 'vitest'
import { addEndpoint, endpointDeps, workOff } from '../../../test/harness/endpoints.js'
import { startReceiver } from '../../../test/harness/receiver.js'
import { refusal } from '../../../test/harness/refusal.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { createEndpoint, deleteEndpoint, rotateEndpointSecret, updateEndpoint } from './endpoints.js'
import { publishEvent } from './publish-event.js'
import { replayDelivery } from './replay-delivery.js'
import { sendTestWebhook } from './send-test-webhook.js'
import { ENDPOINTS_MAX } from './store/registered-endpoint.entity.js'

const harness = await startWebhooksHarness()
const endpoints = endpointDeps(harness)
const { registeredEndpoints } = endpoints
const reads = { webhookDeliveries: harness.deliveries, registeredEndpoints }
const tests = {
  ...{ ...reads, newId: endpoints.newId, clock: harness.clock },
  accounts: { findIntegration: () => Promise.resolve(undefined) },
}
const tenantOf = ({ tenantId }: { tenantId: string }): Tenant => ({ id: tenantId }) as Tenant

describe('an endpoint', () => {
  it.each([
    [{ url: 'http://10.0.0.1/hook' }, 'url'],
    [{ url: 'not an address' }, 'url'],
    [{ url: 'http://127.0.0.1:9/', events: [] }, 'events'],
    [{ url: 'http://127.0.0.1:9/', events: ['payment.success', 'payment.never'] }, 'events.1'],
    [{ url: 'http://127.0.0.1:9/', description: 'x'.repeat(201) }, 'description'],
  ])('is refused with its field, and nothing is written: %j', async (input, field) => {
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url: 'http://127.0.0.1:8/' })
    const before = await registeredEndpoints.list(event.tenantId)
    for (const act of [
      () => createEndpoint(endpoints, tenantOf(event), input),
      () => updateEndpoint(endpoints, tenantOf(event), id, input),
    ])
      expect(JSON.stringify(await refusal(act()))).toContain(`"${field}"`)
    expect(await registeredEndpoints.list(event.tenantId)).toEqual(before)
  })

  it('keeps its address, and stays on or off, where that is to be null: it is refused with the fields, and nothing is written', async () => {
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url: 'http://127.0.0.1:8/' })
    const before = await registeredEndpoints.list(event.tenantId)
    const patch = { url: null, isEnabled: null, description: 'ERP' }
    expect(await refusal(updateEndpoint(endpoints, tenantOf(event), id, patch))).toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'url' }, { field: 'isEnabled' }],
    })
    expect(await registeredEndpoints.list(event.tenantId)).toEqual(before)
  })

  it('is one of ten at most, also where twenty are registered at once', async () => {
    const event = harness.event()
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, () => addEndpoint(endpoints, event, { url: 'http://127.0.0.1:9/' })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(ENDPOINTS_MAX)
    const [kept] = await registeredEndpoints.list(event.tenantId)
    await deleteEndpoint(endpoints, tenantOf(event), String(kept?.id))
    await addEndpoint(endpoints, event, { url: 'http://127.0.0.1:9/' })
    expect(await registeredEndpoints.list(event.tenantId)).toHaveLength(ENDPOINTS_MAX)
  })

  it('is no business of another tenant: it is neither listed, changed, deleted, tested, nor is its secret rotated', async () => {
    const [event, other] = [harness.event(), harness.event()]
    const { id } = await addEndpoint(endpoints, event, { url: 'http://127.0.0.1:9/' })
    const before = await registeredEndpoints.list(event.tenantId)
    expect(await registeredEndpoints.list(other.tenantId)).toEqual([])
    for (const act of [
      () => updateEndpoint(endpoints, tenantOf(other), id, { isEnabled: false }),
      () => deleteEndpoint(endpoints, tenantOf(other), id),
      () => rotateEndpointSecret(endpoints, tenantOf(other), { id, overlapHours: 0 }),
    ])
      expect(await refusal(act())).toMatchObject({ code: 'not_found' })
    const test = sendTestWebhook(tests, tenantOf(other), { type: 'payment.success', endpointId: id })
    expect(JSON.stringify(await refusal(test))).toContain('"endpointId"')
    expect(await registeredEndpoints.list(event.tenantId)).toEqual(before)
  })

  it('keeps what a change leaves out; null events are all', async () => {
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, {
      url: 'http://127.0.0.1:9/',
      events: ['payment.success', 'payment.success'],
      description: ' ERP ',
    })
    const change = (patch: Parameters<typeof updateEndpoint>[3]) =>
      updateEndpoint(endpoints, tenantOf(event), id, patch)
    expect(await change({})).toMatchObject({ eventTypes: ['payment.success'], description: 'ERP', isEnabled: true })
    expect(await change({ events: null, description: null })).toMatchObject({ eventTypes: null, description: null })
    expect(await change({ url: 'http://127.0.0.1:7/' })).toMatchObject({ url: 'http://127.0.0.1:7/', eventTypes: null })
  })

  it.each([-1, 169])('takes no overlap of %d hours', async (overlapHours) => {
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url: 'http://127.0.0.1:9/' })
    const act = rotateEndpointSecret(endpoints, tenantOf(event), { id, overlapHours })
    expect(JSON.stringify(await refusal(act))).toContain('"overlapHours"')
  })
})

describe('a replay', () => {
  it("goes to the delivery's own endpoint, where that is now, and to no other", async () => {
    const [contract, before, after, other] = [
      await startReceiver(),
      await startReceiver((_message, response) => response.writeHead(500).end()),
      await startReceiver(),
      await startReceiver(),
    ]
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url: before.url })
    await addEndpoint(endpoints, event, { url: other.url })
    const deps = harness.depsFor(contract.url)
    await publishEvent(deps, event)
    await workOff(harness, deps)
    await updateEndpoint(endpoints, tenantOf(event), id, { url: after.url })
    const delivery = (await harness.deliveriesOf(event)).find(({ endpointId }) => endpointId === id)
    await replayDelivery(reads, tenantOf(event), { deliveryId: String(delivery?.id) })
    await workOff(harness, deps)
    expect([contract, before, after, other].map(({ received }) => received.length)).toEqual([1, 1, 1, 1])
    expect(after.received[0]?.headers['webhook-id']).toBe(delivery?.id)
    const found = await harness.deliveries.find(event.tenantId, String(delivery?.id))
    expect(found).toMatchObject({ state: 'delivered', url: after.url, attemptCount: 2 })
    expect(await harness.deliveries.list(event.tenantId, { endpointId: id }, { limit: 10 })).toEqual([found])
  })

  it('is refused while the endpoint is off and for good once it is gone; one that was never tried can be replayed', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url })
    const deps = harness.depsFor(null)
    await publishEvent(deps, event)
    await updateEndpoint(endpoints, tenantOf(event), id, { isEnabled: false })
    const [delivery] = await harness.deliveriesOf(event)
    const replay = () => replayDelivery(reads, tenantOf(event), { deliveryId: String(delivery?.id) })
    expect(await refusal(replay())).toMatchObject({ code: 'webhook_endpoint_off' })
    await updateEndpoint(endpoints, tenantOf(event), id, { isEnabled: true })
    harness.clock.advance(1)
    expect(await replay()).toMatchObject({ state: 'pending', nextAttemptAt: harness.clock.now() })
    await workOff(harness, deps)
    expect(received).toHaveLength(1)
    await deleteEndpoint(endpoints, tenantOf(event), id)
    expect(await refusal(replay())).toMatchObject({ code: 'webhook_endpoint_off' })
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'delivered', endpointId: id, endpoint: null }])
  })
})

describe('a test event', () => {
  it('goes to the endpoint that it names, whatever events that gets, and to no other', async () => {
    const [named, other] = [await startReceiver(), await startReceiver()]
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url: named.url, events: ['order.created'] })
    await addEndpoint(endpoints, event, { url: other.url })
    const sent = await sendTestWebhook(tests, tenantOf(event), { type: 'payment.success', endpointId: id })
    expect(sent).toMatchObject({ endpointId: id, source: 'tests', sequence: 1, state: 'pending' })
    await workOff(harness, harness.depsFor(null))
    expect([named.received.length, other.received.length]).toEqual([1, 0])
    expect(JSON.parse(named.received[0]?.text ?? '')).toMatchObject({ type: 'payment.success', data: { test: true } })
    const both = { type: 'payment.success', endpointId: id, publicClientId: 'pk_any' }
    expect(JSON.stringify(await refusal(sendTestWebhook(tests, tenantOf(event), both)))).toContain('"endpointId"')
    await updateEndpoint(endpoints, tenantOf(event), id, { isEnabled: false })
    const off = sendTestWebhook(tests, tenantOf(event), { type: 'payment.success', endpointId: id })
    expect(JSON.stringify(await refusal(off))).toContain('"endpointId"')
  })

  it('counts as a replay does: one beyond the bound is refused, writes nothing, leaves its idempotency key free, and counts tomorrow', async () => {
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url: 'http://127.0.0.1:9/' })
    const send = (key: string) => {
      const idempotency = { key, fingerprint: 'f1', onReplay: () => undefined }
      return sendTestWebhook(tests, { ...tenantOf(event), idempotency }, { type: 'payment.success', endpointId: id })
    }
    const written = () =>
      Promise.all([
        harness.rows('select id from accounts.webhook_delivery where tenant_id = $1', [event.tenantId]),
        harness.rows('select count from accounts.webhook_replays where tenant_id = $1', [event.tenantId]),
        harness.rows('select id from graphile_worker._private_jobs order by id'),
      ])
    await harness.rows('insert into accounts.webhook_replays (tenant_id, day, count) values ($1, $2::date, 9998)', [
      ...[event.tenantId, harness.clock.now().toISOString().slice(0, 10)],
    ])
    const same = await Promise.all(Array.from({ length: 3 }, () => send('once')))
    expect(new Set(same.map((delivery) => delivery.id)).size).toBe(1)
    const last = await send('the last')
    const before = await written()
    expect(before.slice(0, 2)).toEqual([expect.objectContaining({ length: 2 }), [{ count: 10_000 }]])
    expect(await refusal(send('one too many'))).toMatchObject({ code: 'replay_limit_reached' })
    const replay = replayDelivery(reads, tenantOf(event), { deliveryId: last.id })
    expect(await refusal(replay)).toMatchObject({ code: 'replay_limit_reached' })
    expect(await written()).toEqual(before)
    expect(await send('the last')).toMatchObject({ id: last.id })
    harness.clock.advance(86_400_000)
    expect(await send('one too many')).toMatchObject({ state: 'pending' })
  })
})
