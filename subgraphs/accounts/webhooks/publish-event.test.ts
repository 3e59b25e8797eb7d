import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { ResourceEvent } from './deps.js'
import { addEventJobs, startWebhookWorkers } from '../../../test/harness/endpoints.js'
import { type Received, startReceiver } from '../../../test/harness/receiver.js'
import { SECRET, startWebhooksHarness, viewOf } from '../../../test/harness/webhooks.js'
import { until } from '../../../test/harness/until.js'
import { publishEvent } from './publish-event.js'
import { LEASE_MS } from './store/webhook-queue.js'

const harness = await startWebhooksHarness()
const jobsLeft = async () =>
  (await harness.rows(`select from graphile_worker.jobs where task_identifier = 'publish-event'`)).length

/** The same disorder in every run. */
function shuffled<T>(items: readonly T[]): T[] {
  let seed = 42
  const keyed = items.map((item) => ({ item, key: (seed = (seed * 48_271) % 2_147_483_647) }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

const sequencesOf = (received: Received[], { resourceId }: ResourceEvent) =>
  received.filter(({ text }) => text.includes(resourceId)).map(({ sequence }) => sequence)

describe('the first attempts of deliveries', () => {
  it('carry the event as it was, signed so that the reference library verifies it', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event()
    await publishEvent(harness.depsFor(`${url}/hook?a=1`), event)
    const [message] = received
    expect(received).toHaveLength(1)
    expect(message?.path).toBe('/hook?a=1')
    expect(message?.headers['content-type']).toBe('application/json')
    const headers = message?.headers as Record<string, string>
    const { type, timestamp, data } = viewOf(event, url)
    expect(new Webhook(SECRET).verify(message?.text ?? '', headers)).toEqual({ type, timestamp, sequence: 1, data })
    const [delivery] = await harness.deliveriesOf(event)
    expect(delivery).toMatchObject({ id: headers['webhook-id'], state: 'delivered', body: message?.text })
    expect(delivery?.attempts).toMatchObject([{ number: 1, httpStatus: 204, failure: null }])
  })

  it('are in the order of events, each once, with eight workers and jobs in any order', async () => {
    const { url, received } = await startReceiver((message, response) => {
      setTimeout(() => response.writeHead(200).end(), (message.sequence * 7) % 4)
    })
    const resources = Array.from({ length: 15 }, () => harness.event())
    const events = resources.flatMap((event) => Array.from({ length: 8 }, (_, i) => ({ ...event, sequence: i + 1 })))
    await addEventJobs(harness, shuffled(events))
    await startWebhookWorkers(harness, harness.depsFor(url), { count: 2 })
    await until('no job is left', async () => (await jobsLeft()) === 0)
    expect(received).toHaveLength(events.length)
    for (const event of resources) expect(sequencesOf(received, event)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await harness.rows('select from accounts.webhook_resource where leased_until is not null')).toEqual([])
  })

  it('of later events do not wait for one that failed, nor longer than its own attempt for one that hangs', async () => {
    const { url, received } = await startReceiver(({ sequence }, response) => {
      if (sequence === 1) response.writeHead(500).end()
      else if (sequence !== 2) response.writeHead(204).end()
    })
    const event = harness.event()
    for (const sequence of [1, 2, 3]) {
      const deps = harness.depsFor(url, sequence === 2 ? { attemptTimeoutMs: 100 } : {})
      await publishEvent(deps, { ...event, sequence })
    }
    expect(sequencesOf(received, event)).toEqual([1, 2, 3])
    const deliveries = await harness.deliveriesOf(event)
    expect(deliveries.map(({ state }) => state)).toEqual(['pending', 'pending', 'delivered'])
    expect(deliveries[0]?.attempts).toMatchObject([{ httpStatus: 500, failure: null }])
    expect(deliveries[1]?.attempts).toMatchObject([{ httpStatus: null, failure: 'timeout' }])
  })

  it('include those of earlier events whose jobs have not come yet, and pass those that nobody is told of', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event(4)
    const deps = harness.depsFor(url, {
      renderEvent: (each) => Promise.resolve(each.sequence === 2 ? undefined : viewOf(each, url)),
    })
    await publishEvent(deps, event)
    expect(sequencesOf(received, event)).toEqual([1, 3, 4])
    for (const sequence of [3, 1, 2, 4]) await publishEvent(deps, { ...event, sequence })
    expect(sequencesOf(received, event)).toEqual([1, 3, 4])
  })

  it('are made by the worker that has the resource, for events that come while it is busy', async () => {
    let answerFirst = () => {}
    const { url, received } = await startReceiver(({ sequence }, response) => {
      if (sequence === 1) answerFirst = () => response.writeHead(204).end()
      else response.writeHead(204).end()
    })
    const event = harness.event()
    const deps = harness.depsFor(url)
    const first = publishEvent(deps, event)
    await until('they have arrived', () => received.length === 1)
    await publishEvent(deps, { ...event, sequence: 2 })
    await publishEvent(deps, { ...event, sequence: 3 })
    expect(received).toHaveLength(1)
    answerFirst()
    await first
    expect(sequencesOf(received, event)).toEqual([1, 2, 3])
  })

  it('are made again under the same id when a worker dies between POST and record', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event()
    const deps = harness.depsFor(url)
    const dead = { ...deps, queue: { ...deps.queue, record: () => new Promise<never>(() => {}) } }
    void publishEvent(dead, event)
    await until('they have arrived', () => received.length === 1)
    await publishEvent(deps, event)
    expect(received).toHaveLength(1)
    harness.clock.advance(LEASE_MS)
    expect(await deps.queue.resume()).toEqual({ resources: 1, deliveries: 0 })
    await startWebhookWorkers(harness, deps, { concurrency: 1 })
    await until('no job is left', async () => (await jobsLeft()) === 0)
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(2).fill((await harness.deliveriesOf(event))[0]?.id),
    )
    expect(await harness.deliveriesOf(event)).toMatchObject([{ state: 'delivered', attemptCount: 1 }])
  })

  it('can be made at once by the next run of a job that failed on our side', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event(2)
    const deps = harness.depsFor(url)
    const failing = { ...deps, secretsOf: () => Promise.reject(new Error('the database is away')) }
    await expect(publishEvent(failing, event)).rejects.toThrow('the database is away')
    await publishEvent(deps, event)
    expect(sequencesOf(received, event)).toEqual([1, 2])
  })

  it('are not made where the tenant has named no address, then or later', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event()
    await publishEvent(harness.depsFor(null), event)
    await publishEvent(harness.depsFor(url), event)
    expect(received).toHaveLength(0)
    expect(await harness.deliveriesOf(event)).toEqual([])
    await publishEvent(harness.depsFor(url), { ...event, sequence: 2 })
    expect(sequencesOf(received, event)).toEqual([2])
  })

  it('send nothing unsigned where the tenant has no secret', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event()
    await publishEvent(harness.depsFor(url, { secretsOf: () => Promise.resolve([]) }), event)
    expect(received).toHaveLength(0)
    expect((await harness.deliveriesOf(event))[0]?.attempts).toMatchObject([{ failure: 'no_secret' }])
  })
})
