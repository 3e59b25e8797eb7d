import { randomBytes } from 'node:crypto'
import { createLog } from '../../kernel/log.js'
import { inTransaction } from '../../kernel/database.js'
import { startWorker } from '../../kernel/worker.js'
import { addressGuard } from '../../kernel/address-guard.js'
import { idSource } from '../../kernel/ids.js'
import { deliverySlots } from '../../subgraphs/accounts/webhooks/delivery-slots.js'
import type { ResourceEvent, WebhookDeps } from '../../subgraphs/accounts/webhooks/deps.js'
import { createEndpoint, type EndpointDeps, type NewEndpoint } from '../../subgraphs/accounts/webhooks/endpoints.js'
import { webhookJobs } from '../../subgraphs/accounts/webhooks/jobs.js'
import { publishEvent } from '../../subgraphs/accounts/webhooks/publish-event.js'
import { registeredEndpoints } from '../../subgraphs/accounts/webhooks/store/registered-endpoints.js'
import { LEASE_MS } from '../../subgraphs/accounts/webhooks/store/webhook-queue.js'
import { atEnd, ending } from './at-end.js'
import { ownPool } from './database.js'
import { until } from './until.js'
import type { WebhooksHarness } from './webhooks.js'

/** On a busy machine an attempt may take longer than a job waits for it: here no job ends before its attempt. */
const ATTACHED = { perTenant: 8, waitMs: 200, detachAfterMs: 600_000, detachedMax: 0, heldMax: 100 }

/** What registers endpoints, with addresses of this machine let through. */
export function endpointDeps(harness: WebhooksHarness): EndpointDeps {
  const guard = ending(addressGuard({ allowLoopback: true, allowHttp: true }))
  return {
    checkWebhookUrl: guard.check,
    clock: harness.clock,
    keyRing: harness.keyRing,
    newId: idSource(harness.clock.now),
    random: randomBytes,
    registeredEndpoints: registeredEndpoints(harness.db),
    transaction: (work) => inTransaction(harness.db, work),
  }
}

/** Registers an endpoint. @returns its id and secret */
export async function addEndpoint(
  deps: EndpointDeps,
  { tenantId }: Pick<ResourceEvent, 'tenantId'>,
  input: NewEndpoint,
): Promise<{ id: string; secret: string }> {
  const { endpoint, secret } = await createEndpoint(deps, { id: tenantId }, input)
  return { id: endpoint.id, secret }
}

/** A delivery to a new endpoint that a worker has claimed, and has not answered for yet: the event, the delivery and the job of its attempt. */
export async function claimedDelivery(harness: WebhooksHarness, endpoints: EndpointDeps, url: string) {
  const event = harness.event()
  const { id: endpointId } = await addEndpoint(endpoints, event, { url })
  const deps = harness.depsFor(null)
  await publishEvent(deps, event)
  const [delivery] = await harness.deliveriesOf(event)
  const job = { tenantId: event.tenantId, endpointId, deliveryId: String(delivery?.id), attemptCount: 0 }
  const leasedUntil = new Date(harness.clock.now().getTime() + LEASE_MS)
  if (!(await deps.endpointQueue.claim(job, leasedUntil))) throw new Error('a fresh delivery cannot be claimed')
  return { event, deps, delivery, job }
}

/** Real workers on the real job tables, as processes have them. @returns what stops them, as the test's end does */
export async function startWebhookWorkers(
  harness: WebhooksHarness,
  deps: WebhookDeps,
  { count = 1, concurrency = 4, isAttached = true } = {},
): Promise<() => Promise<void>> {
  const pool = ownPool(harness.databaseUrl, count * concurrency + 2)
  const workers = await Promise.all(
    Array.from({ length: count }, () => {
      const slots = isAttached
        ? { slots: deliverySlots(ATTACHED), endpointSlots: deliverySlots(ATTACHED) }
        : { slots: deps.slots, endpointSlots: deps.endpointSlots }
      const kinds = webhookJobs({ ...deps, ...slots })
      return startWorker({ pool, kinds, periodic: [], concurrency, log: createLog('silent') })
    }),
  )
  const stop = async (): Promise<void> => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  }
  atEnd(stop)
  return stop
}

/** Makes all attempts that are due. */
export async function workOff(
  harness: WebhooksHarness,
  deps: WebhookDeps,
  options: Parameters<typeof startWebhookWorkers>[2] = {},
): Promise<void> {
  const stop = await startWebhookWorkers(harness, deps, options)
  await untilNoJobIsDue(harness)
  await stop()
}

/** Adds the jobs that tell of events, in this order. */
export async function addEventJobs(harness: WebhooksHarness, events: readonly ResourceEvent[]): Promise<void> {
  for (const event of events)
    await harness.rows(`select graphile_worker.add_job('publish-event', $1::json)`, [JSON.stringify(event)])
}

/** Waits until no job is left that could run now. */
export async function untilNoJobIsDue(harness: WebhooksHarness): Promise<void> {
  await until('no job is due', async () => {
    const due = await harness.rows('select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts')
    return due.length === 0
  })
}
