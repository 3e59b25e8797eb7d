import type { JobKind, PeriodicJob } from '../../../kernel/jobs.js'
import { retryJob, retryWebhook } from './deliver.js'
import { deliverToEndpoint, endpointJob } from './deliver-to-endpoint.js'
import type { DeliverySlots, SlotOwner, SlotWork } from './delivery-slots.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { endDeliveriesJob } from './end-deliveries.js'
import { fanOutWithoutSlot } from './fan-out.js'
import type { Timed } from './late-receivers.js'
import { publishEvent, type PublishEventDeps } from './publish-event.js'
import type { EndpointJob } from './store/endpoint-queue.js'
import { DELIVER_TO_ENDPOINT } from './store/endpoint-queue.sql.js'
import { PUBLISH_EVENTS } from './store/pass-events.sql.js'
import { eventJobKey, type RetryWebhook } from './store/webhook-queue.js'
import { FORGET_DELIVERIES, PUBLISH_EVENT, RETRY_WEBHOOK } from './store/webhook-queue.sql.js'

/** Repeats of our own failures only; what a receiver does never makes a job throw. */
const MAX_ATTEMPTS = 25

type WebhookJobsDeps = PublishEventDeps & Pick<WebhookDeps, 'endpointSlots' | 'openEndpointSecrets' | 'slots'>

/** An event whose job found no slot, once its deliveries to endpoints are stored, says so: that is done once. */
type PublishEvent = ResourceEvent & { isFannedOut?: boolean }

/** The jobs that tell tenants of events. */
export function webhookJobs(deps: WebhookJobsDeps): JobKind<never>[] {
  const publish: JobKind<PublishEvent> = {
    name: PUBLISH_EVENT,
    maxAttempts: MAX_ATTEMPTS,
    run: async ({ isFannedOut = false, ...event }) => {
      const work: SlotWork = (mayDetach, timed) => publishEvent(timing(deps, timed), event, mayDetach)
      await inSlot({ slots: deps.slots, owner: { tenantId: event.tenantId }, work }, async (inMs) => {
        if (!isFannedOut) await fanOutWithoutSlot(deps, event)
        const payload = { ...event, isFannedOut: true }
        await deps.queue.reschedule({ name: PUBLISH_EVENT, payload, key: eventJobKey(event) }, inMs)
      })
    },
  }
  const publishMany: JobKind<{ events: readonly ResourceEvent[] }> = {
    name: PUBLISH_EVENTS,
    maxAttempts: MAX_ATTEMPTS,
    // One statement, which waits for no receiver: it takes no slot, and a crash leaves all of it or nothing.
    run: async ({ events }) => {
      await deps.queue.passEvents(events)
    },
  }
  const retry: JobKind<RetryWebhook> = {
    name: RETRY_WEBHOOK,
    maxAttempts: MAX_ATTEMPTS,
    run: async (payload) => {
      const work: SlotWork = (mayDetach, timed) => {
        // The delivery itself says when it is due, until an attempt is recorded.
        mayDetach()
        return retryWebhook(timing(deps, timed), payload)
      }
      await inSlot({ slots: deps.slots, owner: { tenantId: payload.tenantId }, work }, (inMs) =>
        deps.queue.rescheduleAttempt(retryJob(payload), inMs),
      )
    },
  }
  const deliver: JobKind<EndpointJob> = {
    name: DELIVER_TO_ENDPOINT,
    maxAttempts: MAX_ATTEMPTS,
    run: async (payload) => {
      const work: SlotWork = (mayDetach, timed) => {
        mayDetach()
        return deliverToEndpoint(timing(deps, timed), payload)
      }
      await inSlot({ slots: deps.endpointSlots, owner: payload, work }, (inMs) =>
        deps.queue.rescheduleAttempt(endpointJob(payload), inMs),
      )
    },
  }
  const forget: JobKind<Omit<ResourceEvent, 'sequence'>> = {
    name: FORGET_DELIVERIES,
    maxAttempts: MAX_ATTEMPTS,
    run: (resource) => deps.queue.forget(resource),
  }
  return [publish, publishMany, retry, deliver, forget, endDeliveriesJob(deps)]
}

interface InSlot {
  slots: DeliverySlots
  owner: SlotOwner
  work: SlotWork
}

/** The same deps, whose requests say how late their receivers are. */
function timing<Deps extends Pick<WebhookDeps, 'guard'>>(deps: Deps, timed: Timed): Deps {
  return { ...deps, guard: { request: (url, request) => timed(() => deps.guard.request(url, request)) } }
}

/** Does the work of a job in a slot; where all are taken, the job comes again a little later. */
async function inSlot({ slots, owner, work }: InSlot, comeAgain: (inMs: number) => Promise<void>): Promise<void> {
  const outcome = await slots.run(owner, work)
  if (outcome.kind === 'full') await comeAgain(outcome.againInMs)
}

/** Takes up what a worker that died has left behind: graphile-worker itself waits four hours for its jobs. */
export function webhookPeriodicJobs({ queue }: Pick<WebhookDeps, 'queue'>): PeriodicJob[] {
  const resume = async () => {
    await queue.resume()
  }
  return [{ name: 'resume-webhooks', cron: '* * * * *', run: resume }]
}
