import { describe, expect, it } from 'vitest'
import { addEndpoint, endpointDeps, workOff } from '../../../test/harness/endpoints.js'
import { startReceiver, type Received } from '../../../test/harness/receiver.js'
import { startWebhooksHarness, viewOf } from '../../../test/harness/webhooks.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { updateEndpoint } from './endpoints.js'
import { publishEvent } from './publish-event.js'
import { LEASE_MS } from './store/webhook-queue.js'

const harness = await startWebhooksHarness()
const endpoints = endpointDeps(harness)

/** Deps whose events go to the default address of their tenant, if it has one, and what was rendered by them. */
function watchedDeps(addresses: ReadonlyMap<string, string> = new Map()): {
  deps: WebhookDeps
  rendered: ResourceEvent[]
} {
  const rendered: ResourceEvent[] = []
  const renderEvent: WebhookDeps['renderEvent'] = (event) => {
    rendered.push(event)
    return Promise.resolve(viewOf(event, addresses.get(event.tenantId) ?? null))
  }
  return { deps: harness.depsFor(null, { renderEvent }), rendered }
}

/** Gives a tenant a default integration. */
const addIntegration = (tenantId: string, url: string | null) =>
  harness.rows(
    `insert into accounts.integration (tenant_id, public_client_id, webhook_secret, webhook_url, is_default, created_at)
      values ($1, 'pk_' || $1, 'sealed', $2, true, now())`,
    [tenantId, url],
  )

const addJob = (name: string, payload: object) =>
  harness.rows(`select graphile_worker.add_job($1, $2::json)`, [name, JSON.stringify(payload)])

/** Runs the job of these events, and all jobs that follow. */
async function passAll(deps: WebhookDeps, events: readonly ResourceEvent[]): Promise<void> {
  await addJob('publish-events', { events })
  await workOff(harness, deps)
}

/** How far a resource has come; undefined where no event of it was taken up. */
const standingOf = async ({ tenantId, resourceId }: ResourceEvent) => {
  const [row] = await harness.rows(
    `select wanted, attempted, leased_until is not null as leased from accounts.webhook_resource
      where tenant_id = $1 and resource_id = $2`,
    [tenantId, resourceId],
  )
  return row
}
const passed = (sequence: number) => ({ wanted: sequence, attempted: sequence, leased: false })
const jobsWaiting = () =>
  harness.rows(`select from graphile_worker.jobs where task_identifier in ('publish-event', 'publish-events')`)
const sequencesOf = (received: Received[], { resourceId }: ResourceEvent): number[] =>
  received.filter(({ text }) => text.includes(resourceId)).map(({ sequence }) => sequence)
const at = (event: ResourceEvent, sequence: number): ResourceEvent => ({ ...event, sequence })

describe('events that are passed together', () => {
  it('are not rendered where nobody is told, and take those before them along', async () => {
    const { url, received } = await startReceiver()
    const [first, fourth] = [harness.event(), harness.event(4)]
    await addIntegration(first.tenantId, null)
    const { deps, rendered } = watchedDeps()
    await passAll(deps, [first, fourth])
    expect(rendered).toEqual([])
    expect(await standingOf(first)).toEqual(passed(1))
    expect(await standingOf(fourth)).toEqual(passed(4))
    // Somebody is told from here on: of what comes, and not of what was passed and whose job comes late.
    for (const sequence of [3, 4, 5]) await publishEvent(harness.depsFor(url), at(fourth, sequence))
    expect(sequencesOf(received, fourth)).toEqual([5])
  })

  it("go, once and in order, to those who are told: at an endpoint that is on, and at the tenant's own address", async () => {
    const [atEndpoint, atAddress, off] = [await startReceiver(), await startReceiver(), await startReceiver()]
    const [nobody, subscribed] = [harness.event(), harness.event()]
    const [addressed, switchedOff] = [harness.event(), harness.event()]
    await addEndpoint(endpoints, subscribed, { url: atEndpoint.url })
    const { id } = await addEndpoint(endpoints, switchedOff, { url: off.url })
    await updateEndpoint(endpoints, { id: switchedOff.tenantId }, id, { isEnabled: false })
    await addIntegration(addressed.tenantId, atAddress.url)
    const { deps, rendered } = watchedDeps(new Map([[addressed.tenantId, atAddress.url]]))
    const all = [nobody, subscribed, addressed, switchedOff]
    for (const sequence of [1, 2, 3]) {
      const events = all.map((event) => at(event, sequence))
      await passAll(deps, events)
    }
    expect(sequencesOf(atEndpoint.received, subscribed)).toEqual([1, 2, 3])
    expect(sequencesOf(atAddress.received, addressed)).toEqual([1, 2, 3])
    expect([atEndpoint, atAddress, off].map(({ received }) => received.length)).toEqual([3, 3, 0])
    expect(new Set(rendered.map(({ tenantId }) => tenantId))).toEqual(
      new Set([subscribed.tenantId, addressed.tenantId]),
    )
    for (const event of all) expect(await standingOf(event)).toEqual(passed(3))
  })

  it('go to an endpoint that was made before their job ran; one that is made after gets what comes then', async () => {
    const { url, received } = await startReceiver()
    const event = harness.event()
    const { deps } = watchedDeps()
    await passAll(deps, [event])
    await addJob('publish-events', { events: [at(event, 2)] })
    await addEndpoint(endpoints, event, { url })
    await workOff(harness, deps)
    await passAll(deps, [at(event, 3)])
    // Jobs that were queued before, or come again.
    await passAll(deps, [event, at(event, 2)])
    await addJob('publish-event', event)
    await workOff(harness, deps)
    expect(sequencesOf(received, event)).toEqual([2, 3])
  })

  it('leave a resource to the worker that has it', async () => {
    const event = harness.event()
    const { deps } = watchedDeps()
    await deps.queue.open(event, 'another worker', undefined)
    expect(await deps.queue.passEvents([at(event, 2)])).toBe(1)
    expect(await standingOf(event)).toEqual({ wanted: 1, attempted: 0, leased: true })
    await workOff(harness, deps)
    // The other one sees that more is wanted; it dies, and what it had is taken up.
    expect(await deps.queue.advance(event, 'another worker')).toBe(2)
    harness.clock.advance(LEASE_MS)
    await deps.queue.resume()
    await workOff(harness, deps)
    expect(await standingOf(event)).toEqual(passed(2))
  })

  it('come in order and once with two workers, whatever the order of jobs of both kinds', async () => {
    const { url, received } = await startReceiver((message, response) => {
      setTimeout(() => response.writeHead(200).end(), (message.sequence * 7) % 5)
    })
    const resources = Array.from({ length: 8 }, () => harness.event())
    const told = resources.slice(0, 4)
    for (const event of told) await addEndpoint(endpoints, event, { url })
    for (const sequence of [5, 2, 8, 1, 7, 3, 6, 4]) {
      const events = (sequence % 2 === 0 ? resources : resources.toReversed()).map((event) => at(event, sequence))
      await addJob('publish-events', { events })
      if (sequence % 3 === 0) for (const event of events) await addJob('publish-event', event)
    }
    const { deps } = watchedDeps()
    await workOff(harness, deps, { count: 2 })
    for (const event of told) expect(sequencesOf(received, event)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(received).toHaveLength(8 * told.length)
    for (const event of resources) expect(await standingOf(event)).toEqual(passed(8))
    // None has failed and waits to come again.
    expect(await jobsWaiting()).toEqual([])
  })
})

describe('a crash', () => {
  it('of the statement that passes events leaves all of them to the next run of their job', async () => {
    const event = harness.event()
    const { deps } = watchedDeps()
    const notStorable = harness.event(2 ** 31)
    await expect(deps.queue.passEvents([event, notStorable])).rejects.toThrow()
    expect(await standingOf(event)).toBeUndefined()
    expect(await jobsWaiting()).toEqual([])
    expect(await deps.queue.passEvents([event])).toBe(0)
    expect(await standingOf(event)).toEqual(passed(1))
  })

  it('after it, before the job is gone, tells nobody twice, and nobody of what was passed', async () => {
    const [subscribed, late] = [await startReceiver(), await startReceiver()]
    const [told, silent] = [harness.event(), harness.event()]
    await addEndpoint(endpoints, told, { url: subscribed.url })
    const { deps } = watchedDeps()
    expect(await deps.queue.passEvents([told, silent])).toBe(1)
    await addEndpoint(endpoints, silent, { url: late.url })
    expect(await deps.queue.passEvents([told, silent])).toBe(2)
    await workOff(harness, deps)
    await passAll(deps, [told, silent])
    expect(sequencesOf(subscribed.received, told)).toEqual([1])
    expect(late.received).toHaveLength(0)
    expect(await harness.deliveriesOf(silent)).toEqual([])
  })
})
