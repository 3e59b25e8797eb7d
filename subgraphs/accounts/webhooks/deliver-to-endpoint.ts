import { attemptDelivery } from './deliver.js'
import type { WebhookDeps } from './deps.js'
import { leaseEnd, waitForLease } from './lease.js'
import type { EndpointJob } from './store/endpoint-queue.js'
import type { AttemptJob } from './store/webhook-queue.js'
import { DELIVER_TO_ENDPOINT } from './store/endpoint-queue.sql.js'

type DeliverToEndpointDeps = Pick<
  WebhookDeps,
  'attemptTimeoutMs' | 'clock' | 'endpointQueue' | 'guard' | 'keyRing' | 'openEndpointSecrets' | 'queue'
>

/**
 * Makes an attempt at a registered endpoint: the job `deliver-to-endpoint`. Does nothing where it was made before; a crash
 * between the POST and its record repeats the POST with the same `webhook-id`. First attempts at an endpoint are made in
 * the order of each resource's events: one worker at a time has the next one, by its lease, and goes on with those behind it.
 * @throws where our own database fails; the job then comes again
 */
export async function deliverToEndpoint(deps: DeliverToEndpointDeps, job: EndpointJob): Promise<void> {
  if (!(await makeAttempt(deps, job))) {
    await deps.endpointQueue.endIfOff(job)
    return waitForLease(deps, endpointJob(job))
  }
  let isNext = job.attemptCount === 0
  while (isNext) isNext = await makeAttempt(deps, job)
}

/** The job of an attempt at an endpoint; one of a delivery waits at a time. */
export function endpointJob(payload: EndpointJob): AttemptJob<EndpointJob> {
  return { name: DELIVER_TO_ENDPOINT, payload, key: `${DELIVER_TO_ENDPOINT}:${payload.deliveryId}` }
}

/** Makes the attempt that is the job's to make now. @returns whether there was one */
async function makeAttempt(deps: DeliverToEndpointDeps, job: EndpointJob): Promise<boolean> {
  const lease = leaseEnd(deps)
  try {
    const attempt = await deps.endpointQueue.claim(job, lease)
    if (!attempt) return false
    const { delivery, secrets } = attempt
    const outcome = await attemptDelivery(deps, delivery, deps.openEndpointSecrets(secrets))
    await deps.endpointQueue.record(delivery, job.endpointId, outcome)
    return true
  } catch (error) {
    // Where this fails too the lease runs out, and the delivery's own job waits for that.
    await deps.endpointQueue.giveBack(job, lease).catch(() => undefined)
    throw error
  }
}
