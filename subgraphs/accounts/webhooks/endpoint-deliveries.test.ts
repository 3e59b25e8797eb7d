import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  addEndpoint,
  addEventJobs,
  claimedDelivery,
  endpointDeps,
  startWebhookWorkers,
  workOff,
} from '../../../test/harness/endpoints.js'
import { startReceiver, type Received } from '../../../test/harness/receiver.js'
import { until } from '../../../test/harness/until.js'
import { SECRET, startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { deliverySlots } from './delivery-slots.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { deleteEndpoint, rotateEndpointSecret, updateEndpoint } from './endpoints.js'
import { publishEvent } from './publish-event.js'
import { LEASE_MS } from './store/webhook-queue.js'

const harness = await startWebhooksHarness()
const endpoints = endpointDeps(harness)

const verifies = (secret: string, { text, headers }: Received): boolean => {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
const sequencesOf = (received: Received[]): number[] => received.map(({ sequence }) => sequence)
const eventsOf = (event: ResourceEvent, count: number): ResourceEvent[] =>
  Array.from({ length: count }, (_, index) => ({ ...event, sequence: index + 1 }))

/** Publishes events and makes all attempts that are due. */
async function publishAll(deps: WebhookDeps, events: ResourceEvent[]): Promise<void> {
  for (const event of events) await publishEvent(deps, event)
  await workOff(harness, deps)
}

describe('an event of a tenant with endpoints', () => {
  it("goes to each of them and to the contract's address: the same bytes, each with its own id and secret", async () => {
    const [contract, one, other] = [await startReceiver(), await startReceiver(), await startReceiver()]
    const event = harness.event()
    const made = [
      await addEndpoint(endpoints, event, { url: one.url }),
      await addEndpoint(endpoints, event, { url: other.url }),
    ]
    await publishAll(harness.depsFor(contract.url), [event])
    const received = [contract, one, other].map((receiver) => receiver.received)
    expect(received.map(({ length }) => length)).toEqual([1, 1, 1])
    const messages = received.flat()
    expect(new Set(messages.map(({ text }) => text)).size).toBe(1)
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
    const secrets = [SECRET, ...made.map(({ secret }) => secret)]
    for (const [index, message] of messages.entries())
      expect(secrets.map((secret) => verifies(secret, message))).toEqual([0, 1, 2].map((place) => place === index))
    const deliveries = await harness.deliveriesOf(event)
    expect(deliveries.map(({ state, sequence, type }) => ({ state, sequence, type }))).toEqual(
      Array(3).fill({ state: 'delivered', sequence: 1, type: 'payment.registered' }),
    )
    expect(new Set(deliveries.map(({ endpoint }) => endpoint?.id))).toEqual(
      new Set([...made.map(({ id }) => id), undefined]),
    )
  })

  it("goes to them where it has no contract's address, to those alone that want its type, and to no other tenant's", async () => {
    const [all, chosen, stranger] = [await startReceiver(), await startReceiver(), await startReceiver()]
    const event = harness.event()
    await addEndpoint(endpoints, event, { url: all.url })
    await addEndpoint(endpoints, event, { url: chosen.url, events: ['payment.pending', 'order.created'] })
    await addEndpoint(endpoints, harness.event(), { url: stranger.url })
    await publishAll(harness.depsFor(null), eventsOf(event, 2))
    expect(sequencesOf(all.received)).toEqual([1, 2])
    expect(sequencesOf(chosen.received)).toEqual([2])
    expect(stranger.received).toHaveLength(0)
    expect(await harness.deliveriesOf(event)).toHaveLength(3)
  })

  it('is recorded once for each, in the order of events, with eight workers and jobs in any order', async () => {
    const contract = await startReceiver()
    const one = await startReceiver((message, response) => {
      setTimeout(() => response.writeHead(200).end(), (message.sequence * 7) % 5)
    })
    const other = await startReceiver()
    const event = harness.event()
    for (const { url } of [one, other]) await addEndpoint(endpoints, event, { url })
    const events = eventsOf(event, 12)
    await addEventJobs(
      harness,
      [7, 2, 11, 0, 5, 1, 9, 3, 10, 8, 4, 6].map((index) => events[index] as ResourceEvent),
    )
    await workOff(harness, harness.depsFor(contract.url), { count: 2 })
    await until('all have come', () => one.received.length + other.received.length >= 24)
    for (const { received } of [contract, one, other])
      expect(sequencesOf(received)).toEqual(events.map(({ sequence }) => sequence))
    expect(await harness.deliveriesOf(event)).toHaveLength(36)
  })
})

describe('an endpoint that is dead', () => {
  it("delays no other one, and a contract's address that is dead delays no endpoint", async () => {
    const [deadContract, dead] = [await startReceiver(() => undefined), await startReceiver(() => undefined)]
    const alive = await startReceiver()
    const [first, ...more] = Array.from({ length: 12 }, () => harness.event())
    const { tenantId } = first as ResourceEvent
    await addEndpoint(endpoints, { tenantId }, { url: dead.url })
    await addEndpoint(endpoints, { tenantId }, { url: alive.url })
    const limits = { perTenant: 2, waitMs: 20, detachAfterMs: 20, detachedMax: 128, heldMax: 5 }
    const endpointSlots = deliverySlots({ ...limits, perTenant: 4, perEndpoint: 2 })
    const slots = { slots: deliverySlots(limits), endpointSlots }
    const deps = harness.depsFor(deadContract.url, { ...slots, attemptTimeoutMs: 12_000 })
    const events = [first as ResourceEvent, ...more.map((event) => ({ ...event, tenantId }))]
    await addEventJobs(harness, events)
    await startWebhookWorkers(harness, deps, { isAttached: false, concurrency: 2 })
    await until('the one that lives has all', () => alive.received.length === events.length)
    // Neither of the dead ones has even ended its first attempts.
    expect(deadContract.received).toHaveLength(2)
    expect(dead.received).toHaveLength(2)
    await harness.rows('delete from graphile_worker._private_jobs where locked_at is null')
    await harness.rows('delete from accounts.webhook_delivery where tenant_id = $1', [tenantId])
  })

  it('is marked by itself, is tried again on the schedule, and gets later events meanwhile', async () => {
    let status = 500
    const failing = await startReceiver((_message, response) => response.writeHead(status).end())
    const healthy = await startReceiver()
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url: failing.url })
    const { id: other } = await addEndpoint(endpoints, event, { url: healthy.url })
    const deps = harness.depsFor(null)
    await publishAll(deps, eventsOf(event, 2))
    expect(sequencesOf(failing.received)).toEqual([1, 2])
    const standing = async () => {
      const listed = await endpoints.registeredEndpoints.list(event.tenantId)
      return [id, other].map((of) => listed.find((endpoint) => endpoint.id === of)?.failingSince)
    }
    expect(await standing()).toEqual([harness.clock.now(), null])
    const pending = (await harness.deliveriesOf(event)).filter(({ endpointId }) => endpointId === id)
    for (const { nextAttemptAt, state } of pending)
      expect({ state, inMs: Number(nextAttemptAt) - harness.clock.now().getTime() }).toEqual({
        state: 'pending',
        inMs: 5000,
      })
    status = 204
    await harness.advance(LEASE_MS + 65_000)
    await workOff(harness, deps)
    expect(sequencesOf(failing.received).sort()).toEqual([1, 1, 2, 2])
    expect(await standing()).toEqual([null, null])
  })
})

describe('a crash', () => {
  it("of a delivery to the contract's address is found, however much waits for an endpoint that is dead", async () => {
    const [dead, event] = [harness.event(), harness.event()]
    const { id } = await addEndpoint(endpoints, dead, { url: 'http://127.0.0.1:9/' })
    const before = new Date(harness.clock.now().getTime() - 3_600_000)
    await harness.rows(
      `insert into accounts.webhook_delivery (tenant_id, source, resource_id, endpoint_id, endpoint_sequence, id, type, url,
          body, state, attempt_count, failures, started_at, next_attempt_at, created_at)
        select $1, 'payments', 'r', $2, n, 'd' || n, 't', 'u', '{}', 'pending', 1, 1, $3, $3, $3 from generate_series(1, 600) n`,
      [dead.tenantId, id, before],
    )
    const refusing = await startReceiver((_message, response) => response.writeHead(500).end())
    const deps = harness.depsFor(refusing.url)
    await publishEvent(deps, event)
    await harness.rows('delete from graphile_worker._private_jobs where locked_at is null')
    harness.clock.advance(LEASE_MS + 65_000)
    await deps.queue.resume()
    const [delivery] = await harness.deliveriesOf(event)
    const jobs = await harness.rows('select from graphile_worker.jobs where key = $1', [
      `retry-webhook:${String(delivery?.id)}`,
    ])
    expect(jobs).toHaveLength(1)
    await harness.rows('delete from graphile_worker._private_jobs where locked_at is null')
    await harness.rows('delete from accounts.webhook_delivery where tenant_id = $1', [dead.tenantId])
  })

  it('between taking an event up and storing its deliveries to endpoints loses none and records none twice', async () => {
    const [contract, endpoint] = [await startReceiver(), await startReceiver()]
    const event = harness.event()
    await addEndpoint(endpoints, event, { url: endpoint.url })
    const deps = harness.depsFor(contract.url)
    const dying = { ...deps, endpointQueue: { ...deps.endpointQueue, fanOut: () => new Promise<never>(() => {}) } }
    void publishEvent(dying, event)
    await until('it is taken up', async () => (await deps.endpointQueue.standingOf(event)).hasEndpoints)
    await until('it is leased', async () => {
      const leased = await harness.rows(
        'select from accounts.webhook_resource where tenant_id = $1 and leased_until is not null',
        [event.tenantId],
      )
      return leased.length === 1
    })
    const failing = {
      ...deps,
      endpointQueue: { ...deps.endpointQueue, fanOut: () => Promise.reject(new Error('the database is away')) },
    }
    harness.clock.advance(LEASE_MS)
    await expect(publishEvent(failing, event)).rejects.toThrow('the database is away')
    expect(contract.received).toHaveLength(0)
    await publishAll(deps, [event, event])
    expect([contract.received.length, endpoint.received.length]).toEqual([1, 1])
  })

  it('of an event whose job is lost: who passes it stores its deliveries to endpoints first', async () => {
    const [contract, endpoint] = [await startReceiver(), await startReceiver()]
    const event = harness.event()
    await addEndpoint(endpoints, event, { url: endpoint.url })
    await publishAll(harness.depsFor(contract.url), [{ ...event, sequence: 3 }])
    expect(sequencesOf(contract.received)).toEqual([1, 2, 3])
    expect(sequencesOf(endpoint.received)).toEqual([1, 2, 3])
  })

  it('between the POST and its record repeats it under the same id', async () => {
    const endpoint = await startReceiver()
    const { event, deps, delivery } = await claimedDelivery(harness, endpoints, endpoint.url)
    // The one that has it is dead; a second worker finds it taken until its lease is over.
    await workOff(harness, deps)
    expect(endpoint.received).toHaveLength(0)
    await harness.advance(LEASE_MS + 60_000)
    await deps.queue.resume()
    await workOff(harness, deps)
    expect(endpoint.received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery?.id])
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'delivered', attemptCount: 1 }])
  })
})

describe('the secret of an endpoint', () => {
  it('signs together with the one before until the overlap ends, and at once alone where there is none', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event()
    const { id, secret: first } = await addEndpoint(endpoints, event, { url })
    const deps = harness.depsFor(null)
    const tenant = { id: event.tenantId }
    const { secret: second } = await rotateEndpointSecret(endpoints, tenant, { id, overlapHours: 2 })
    await publishAll(deps, [event])
    harness.clock.advance(2 * 3_600_000)
    await publishAll(deps, [{ ...event, sequence: 2 }])
    const { secret: third } = await rotateEndpointSecret(endpoints, tenant, { id, overlapHours: 0 })
    await publishAll(deps, [{ ...event, sequence: 3 }])
    const by = [first, second, third].map((secret) => received.map((message) => verifies(secret, message)))
    expect(by).toEqual([
      [true, false, false],
      [true, true, false],
      [false, false, true],
    ])
    const [row] = await harness.rows<{ stored: string }>(
      'select json_agg(e)::text as stored from accounts.registered_endpoint e',
    )
    for (const secret of [first, second, third]) expect(row?.stored).not.toContain(secret.slice('whsec_'.length))
  })
})

describe('an endpoint that is switched off or deleted', () => {
  it.each(['endpoint_disabled', 'endpoint_deleted'] as const)(
    'gets nothing any more, and its open deliveries end and say why: %s',
    async (endedBecause) => {
      const { url, received } = await startReceiver((_message, response) => response.writeHead(500).end())
      const event = harness.event()
      const tenant = { id: event.tenantId }
      const { id } = await addEndpoint(endpoints, event, { url })
      const deps = harness.depsFor(null)
      await publishAll(deps, [event])
      await publishEvent(deps, { ...event, sequence: 2 })
      if (endedBecause === 'endpoint_deleted') await deleteEndpoint(endpoints, tenant, id)
      else await updateEndpoint(endpoints, tenant, id, { isEnabled: false })
      const ended = { state: 'failed', nextAttemptAt: null, endedBecause, endpointId: id }
      expect(await harness.deliveriesOf(event)).toMatchObject([ended, ended])
      harness.clock.advance(LEASE_MS + 60_000)
      await deps.queue.resume()
      await publishAll(deps, [{ ...event, sequence: 3 }])
      if (endedBecause === 'endpoint_disabled') await updateEndpoint(endpoints, tenant, id, { isEnabled: true })
      await publishAll(deps, [{ ...event, sequence: 3 }])
      // What it missed is not delivered later.
      expect(sequencesOf(received)).toEqual([1])
      expect(await harness.deliveriesOf(event)).toHaveLength(2)
    },
  )

  it('at the very moment in which a delivery is ordered leaves none open', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event()
    const { id } = await addEndpoint(endpoints, event, { url })
    const deps = harness.depsFor(null)
    await publishEvent(deps, event)
    await harness.rows('delete from accounts.registered_endpoint where id = $1', [id])
    await workOff(harness, deps)
    expect(received).toHaveLength(0)
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'failed', endedBecause: 'endpoint_deleted' }])
  })
})
