import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JobKind } from '../../../kernel/jobs.js'
import { createLog } from '../../../kernel/log.js'
import { startWorker } from '../../../kernel/worker.js'
import { ownPool } from '../../../test/harness/database.js'
import { addEndpoint, addEventJobs, endpointDeps, untilNoJobIsDue } from '../../../test/harness/endpoints.js'
import { startReceiver, type Receiver } from '../../../test/harness/receiver.js'
import { until } from '../../../test/harness/until.js'
import { startWebhooksHarness, viewOf } from '../../../test/harness/webhooks.js'
import { deliverySlots, type SlotLimits } from './delivery-slots.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { webhookJobs } from './jobs.js'
import { LEASE_MS } from './store/webhook-queue.js'

const WAITING = 300
const LIMITS: SlotLimits = { perTenant: 2, waitMs: 20, detachAfterMs: 20, detachedMax: 16, heldMax: 4 }
const MINUTE_MS = 60_000

const harness = await startWebhooksHarness()

/** Events of one tenant, each of a resource of its own. */
function eventsOf(count: number): ResourceEvent[] {
  const { tenantId } = harness.event()
  return Array.from({ length: count }, () => ({ ...harness.event(), tenantId }))
}

/** A receiver that answers nobody until it is told to. */
async function startHanging() {
  const held: ServerResponse[] = []
  let isHanging = true
  const receiver = await startReceiver((_message, response) => {
    if (isHanging) held.push(response)
    else response.writeHead(204).end()
  })
  const hangUp = (): void => {
    for (const response of held.splice(0)) response.destroy()
  }
  const recover = (): void => {
    isHanging = false
    for (const response of held.splice(0)) response.writeHead(204).end()
  }
  return { receiver, hangUp, recover }
}

/** What has run, by the tenants of its events. */
interface Process {
  runs: string[]
  stop: () => Promise<void>
}

/** A process with slots of its own, timed by the clock that stands still. */
async function startProcess(base: WebhookDeps, concurrency = 4): Promise<Process> {
  const nowMs = (): number => harness.clock.now().getTime()
  const [slots, endpointSlots] = [deliverySlots(LIMITS, nowMs), deliverySlots({ ...LIMITS, perEndpoint: 2 }, nowMs)]
  const runs: string[] = []
  const counted = (kind: JobKind<never>): JobKind<never> => ({
    ...kind,
    run: (payload) => {
      runs.push((payload as ResourceEvent).tenantId)
      return kind.run(payload)
    },
  })
  const kinds = webhookJobs({ ...base, slots, endpointSlots }).map(counted)
  const pool = ownPool(harness.databaseUrl, concurrency + 2)
  const worker = await startWorker({ pool, kinds, periodic: [], concurrency, log: createLog('silent') })
  onTestFinished(() => worker.stop())
  return { runs, stop: () => worker.stop() }
}

/** How many deliveries have come to a receiver, each as often as it did. */
function countOf({ received }: Receiver): number {
  return new Set(received.map(({ headers }) => headers['webhook-id'])).size
}

describe.each([
  ["the contract's address", false],
  ['a registered endpoint', true],
])('a receiver that hangs, %s, with a backlog', (_where, isEndpoint) => {
  /** The receivers of a tenant that hangs and of another one, and the backlog of the first. */
  async function startBacklog() {
    await harness.rows('truncate graphile_worker._private_jobs, accounts.webhook_delivery, accounts.webhook_resource')
    const hanging = await startHanging()
    const quick = await startReceiver()
    const stuck = eventsOf(WAITING)
    const [other] = eventsOf(1)
    if (!stuck[0] || !other) throw new Error('there is no event')
    if (isEndpoint) {
      const deps = endpointDeps(harness)
      await addEndpoint(deps, stuck[0], { url: hanging.receiver.url })
      await addEndpoint(deps, other, { url: quick.url })
    }
    const urlOf = ({ tenantId }: ResourceEvent): string =>
      tenantId === other.tenantId ? quick.url : hanging.receiver.url
    const base = harness.depsFor(null, {
      renderEvent: (event) => Promise.resolve(viewOf(event, isEndpoint ? null : urlOf(event))),
    })
    onTestFinished(hanging.recover)
    await addEventJobs(harness, stuck)
    return { ...hanging, quick, stuck, other, base }
  }

  it('has as many jobs run in an hour as its slots can take, and another tenant is told at once', async () => {
    const { receiver, hangUp, recover, quick, stuck, other, base } = await startBacklog()
    const { runs } = await startProcess(base)
    await untilNoJobIsDue(harness)
    runs.splice(0)
    const attempted = receiver.received.length
    for (let minute = 0; minute < 60; minute += 1) {
      hangUp()
      await harness.advance(MINUTE_MS)
      await untilNoJobIsDue(harness)
    }
    const ofStuck = runs.filter((tenantId) => tenantId === stuck[0]?.tenantId).length
    const attempts = receiver.received.length - attempted
    expect(attempts).toBeGreaterThan(60)
    // Few come for nothing beside each attempt, of hundreds that wait.
    expect(ofStuck).toBeLessThan(5 * attempts + 2 * 60)
    await addEventJobs(harness, [other])
    await until('the other one is told', () => quick.received.length === 1)
    recover()
    await until('all are told', () => countOf(receiver) === WAITING)
  })

  it('leaves the workers to all other work first', async () => {
    const { recover, quick, receiver, other, base } = await startBacklog()
    const first = await startProcess(base)
    await untilNoJobIsDue(harness)
    await first.stop()
    // All of them are due, and for longer than the other one.
    await harness.advance(48 * 60 * MINUTE_MS)
    await addEventJobs(harness, [other])
    const { runs } = await startProcess(base, 1)
    await until('the other one is told', () => quick.received.length === 1)
    expect(runs.indexOf(other.tenantId)).toBeLessThan(3)
    recover()
    await until('all are told', () => countOf(receiver) === WAITING)
  })

  it('is told of all at once when it recovers, by two processes', async () => {
    const { recover, receiver, base } = await startBacklog()
    await startProcess(base)
    await startProcess(base)
    await untilNoJobIsDue(harness)
    recover()
    // No time passes: nothing comes by itself.
    await until('all are told', () => countOf(receiver) === WAITING)
    expect(receiver.received).toHaveLength(WAITING)
  })

  it('is told of all by the next process, where one dies with what it knew of them', async () => {
    const { recover, receiver, base } = await startBacklog()
    const dying = await startProcess({
      ...base,
      queue: { ...base.queue, bringForward: () => new Promise<never>(() => {}) },
    })
    await untilNoJobIsDue(harness)
    await dying.stop()
    recover()
    await startProcess(base)
    await harness.advance(LEASE_MS + 65_000)
    await base.queue.resume()
    await until('all are told', () => countOf(receiver) === WAITING)
  })
})
