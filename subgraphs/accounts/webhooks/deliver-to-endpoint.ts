import { attemptDelivery } from './deliver.js'
import type { WebhookDeps } from './deps.js'
import type { EndpointJob } from './store/endpoint-queue.js'

type DeliverToEndpointDeps = Pick<
  WebhookDeps,
  'attemptTimeoutMs' | 'clock' | 'endpointQueue' | 'guard' | 'openEndpointSecrets'
>

/**
 * Makes an attempt at a registered endpoint: the job `deliver-to-endpoint`. Does nothing where it was made before; a crash
 * between the POST and its record repeats the POST with the same `webhook-id`. First attempts at an endpoint are made in
 * the order of each resource's events: one worker at a time has the next one, by its lease, and goes on with those behind it.
 */
export async function deliverToEndpoint(deps: DeliverToEndpointDeps, job: EndpointJob): Promise<void> {
  let attempt = await deps.endpointQueue.claim(job)
  if (!attempt) await deps.endpointQueue.endIfOff(job)
  while (attempt) {
    const { delivery, secrets } = attempt
    const outcome = await attemptDelivery(deps, delivery, deps.openEndpointSecrets(secrets))
    await deps.endpointQueue.record(delivery, job.endpointId, outcome)
    attempt = job.attemptCount === 0 ? await deps.endpointQueue.claim(job) : undefined
  }
}
