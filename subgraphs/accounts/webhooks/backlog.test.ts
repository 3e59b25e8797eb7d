import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { advanceJobs, type JobKind } from '../../../kernel/jobs.js'
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

  /** Makes time pass, a minute at a time: whoever waits for an answer has waited for all of it. */
  async function passMinutes(minutes: number, hangUp = (): void => undefined): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      harness.clock.advance(MINUTE_MS)
      hangUp()
      await advanceJobs(harness.db.pool, MINUTE_MS / 1_000)
      // The workers look at once, as when a job is added.
      await harness.rows(`select pg_notify('jobs:insert', '{"count": 300}')`)
      await untilNoJobIsDue(harness)
    }
  }

  it('has each of its jobs run but every five to ten minutes', async () => {
    const { receiver, hangUp, stuck, base } = await startBacklog()
    const { runs } = await startProcess(base)
    await untilNoJobIsDue(harness)
    await passMinutes(5, hangUp)
    runs.splice(0)
    const attempted = receiver.received.length
    await passMinutes(30, hangUp)
    const attempts = receiver.received.length - attempted
    expect(attempts).toBeGreaterThan(30)
    const inVain = runs.filter((tenantId) => tenantId === stuck[0]?.tenantId).length - attempts
    expect(inVain).toBeLessThan((WAITING * 30) / 5)
  })

  it('leaves the workers to all other work first', async () => {
    const { quick, other, base } = await startBacklog()
    const first = await startProcess(base)
    await untilNoJobIsDue(harness)
    await first.stop()
    // All of them are due, and for longer than the other one.
    await harness.advance(20 * MINUTE_MS)
    await addEventJobs(harness, [other])
    const { runs } = await startProcess(base, 1)
    await until('the other one is told', () => quick.received.length === 1)
    expect(runs.indexOf(other.tenantId)).toBeLessThan(3)
  })

  it('is told of all when it recovers', async () => {
    const { recover, hangUp, receiver, base } = await startBacklog()
    await startProcess(base)
    await untilNoJobIsDue(harness)
    await passMinutes(5, hangUp)
    recover()
    for (let minutes = 0; countOf(receiver) < WAITING; minutes += 1) {
      expect(minutes).toBeLessThan(60)
      await passMinutes(1)
    }
  })
})
