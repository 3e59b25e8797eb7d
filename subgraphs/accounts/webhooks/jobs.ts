import type { JobKind, PeriodicJob } from '../../../kernel/jobs.js'
import { retryWebhook, type RetryWebhook } from './deliver.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { publishEvent, type PublishEventDeps } from './publish-event.js'
import { FORGET_DELIVERIES, PUBLISH_EVENT, RETRY_WEBHOOK } from './store/webhook-queue.sql.js'

/** Repeats of our own failures only; what a receiver does never makes a job throw. */
const MAX_ATTEMPTS = 25

type WebhookJobsDeps = PublishEventDeps & Pick<WebhookDeps, 'slots'>

/** The jobs that tell tenants of events. */
export function webhookJobs(deps: WebhookJobsDeps): JobKind<never>[] {
  const publish: JobKind<ResourceEvent> = {
    name: PUBLISH_EVENT,
    maxAttempts: MAX_ATTEMPTS,
    run: (event) =>
      inSlot(deps, { name: PUBLISH_EVENT, payload: event }, (mayDetach) => publishEvent(deps, event, mayDetach)),
  }
  const retry: JobKind<RetryWebhook> = {
    name: RETRY_WEBHOOK,
    maxAttempts: MAX_ATTEMPTS,
    run: (payload) => {
      const job = { name: RETRY_WEBHOOK, payload, key: `${RETRY_WEBHOOK}:${payload.deliveryId}` }
      return inSlot(deps, job, (mayDetach) => {
        // The delivery itself says when it is due, until an attempt is recorded.
        mayDetach()
        return retryWebhook(deps, payload)
      })
    },
  }
  const forget: JobKind<Omit<ResourceEvent, 'sequence'>> = {
    name: FORGET_DELIVERIES,
    maxAttempts: MAX_ATTEMPTS,
    run: (resource) => deps.queue.forget(resource),
  }
  return [publish, retry, forget]
}

/** Runs a job in one of its tenant's slots; where all are taken, the same job comes again a little later. */
async function inSlot(
  { slots, queue }: Pick<WebhookDeps, 'slots' | 'queue'>,
  job: { name: string; payload: { tenantId: string }; key?: string },
  work: (mayDetach: () => void) => Promise<void>,
): Promise<void> {
  const outcome = await slots.run(job.payload.tenantId, work)
  if (outcome.kind === 'full') await queue.reschedule(job, outcome.againInMs)
}

/** Takes up what a worker that died has left behind: graphile-worker itself waits four hours for its jobs. */
export function webhookPeriodicJobs({ queue }: Pick<WebhookDeps, 'queue'>): PeriodicJob[] {
  const resume = async () => {
    await queue.resume()
  }
  return [{ name: 'resume-webhooks', cron: '* * * * *', run: resume }]
}
