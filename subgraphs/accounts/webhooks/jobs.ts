import type { JobKind, PeriodicJob } from '../../../kernel/jobs.js'
import { retryJob, retryWebhook } from './deliver.js'
import { deliverToEndpoint, endpointJob } from './deliver-to-endpoint.js'
import type { DeliverySlots, SlotOwner, SlotWork } from './delivery-slots.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { endDeliveriesJob } from './end-deliveries.js'
import { fanOutWithoutSlot } from './fan-out.js'
import type { Timed } from './late-receivers.js'
import { publishEvent, type PublishEventDeps } from './publish-event.js'
import type { PutOff } from './slots.js'
import type { EndpointJob } from './store/endpoint-queue.js'
import { DELIVER_TO_ENDPOINT } from './store/endpoint-queue.sql.js'
import { PUBLISH_EVENTS } from './store/pass-events.sql.js'
import { eventJobKey, type RetryWebhook } from './store/webhook-queue.js'
import { FORGET_DELIVERIES, PUBLISH_EVENT, RETRY_WEBHOOK } from './store/webhook-queue.sql.js'

/** Repeats of our own failures only; what a receiver does never makes a job throw. */
const MAX_ATTEMPTS = 25

type WebhookJobsDeps = PublishEventDeps & Pick<WebhookDeps, 'endpointSlots' | 'openEndpointSecrets' | 'slots'>

/** A job that found no slot says so when it comes again. */
type PutOffJob<Payload> = Payload & { isScout?: boolean }

/** An event whose job found no slot, once its deliveries to endpoints are stored, says so: that is done once. */
type PublishEvent = PutOffJob<ResourceEvent & { isFannedOut?: boolean }>

/** The jobs that tell tenants of events. */
export function webhookJobs(deps: WebhookJobsDeps): JobKind<never>[] {
  const publish: JobKind<PublishEvent> = {
    name: PUBLISH_EVENT,
    maxAttempts: MAX_ATTEMPTS,
    run: async ({ isFannedOut = false, isScout, ...event }) => {
      const work: SlotWork = (mayDetach, timed) => publishEvent(timing(deps, timed), event, mayDetach)
      const owner = { tenantId: event.tenantId }
      await inSlot(deps.queue, { slots: deps.slots, owner, work, isScout }, async (again) => {
        if (!isFannedOut) await fanOutWithoutSlot(deps, event)
        const payload: PublishEvent = { ...event, isFannedOut: true, isScout: again.isScout }
        await deps.queue.reschedule({ name: PUBLISH_EVENT, payload, key: eventJobKey(event) }, again.inMs)
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
  const retry: JobKind<PutOffJob<RetryWebhook>> = {
    name: RETRY_WEBHOOK,
    maxAttempts: MAX_ATTEMPTS,
    run: async ({ isScout, ...payload }) => {
      const work: SlotWork = (mayDetach, timed) => {
        // The delivery itself says when it is due, until an attempt is recorded.
        mayDetach()
        return retryWebhook(timing(deps, timed), payload)
      }
      const owner = { tenantId: payload.tenantId }
      await inSlot(deps.queue, { slots: deps.slots, owner, work, isScout }, (again) =>
        deps.queue.rescheduleAttempt(retryJob(payload), again),
      )
    },
  }
  const deliver: JobKind<PutOffJob<EndpointJob>> = {
    name: DELIVER_TO_ENDPOINT,
    maxAttempts: MAX_ATTEMPTS,
    run: async ({ isScout, ...payload }) => {
      const work: SlotWork = (mayDetach, timed) => {
        mayDetach()
        return deliverToEndpoint(timing(deps, timed), payload)
      }
      await inSlot(deps.queue, { slots: deps.endpointSlots, owner: payload, work, isScout }, (again) =>
        deps.queue.rescheduleAttempt(endpointJob(payload), again),
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
  isScout: boolean | undefined
}

/** The same deps, whose requests say how late their receivers are. */
function timing<Deps extends Pick<WebhookDeps, 'guard'>>(deps: Deps, timed: Timed): Deps {
  return { ...deps, guard: { request: (url, request) => timed(() => deps.guard.request(url, request)) } }
}

/** Does the work of a job in a slot; where all are taken, the job is put off until they are not. */
async function inSlot(
  { bringForward }: Pick<WebhookDeps['queue'], 'bringForward'>,
  { slots, owner, work, isScout }: InSlot,
  comeAgain: (again: PutOff) => Promise<void>,
): Promise<void> {
  const outcome = await slots.run(owner, work, { bringForward, isScout })
  if (outcome.kind !== 'full') return
  await comeAgain(outcome)
  slots.notePutOff(owner, bringForward)
}

/** Takes up what a worker that died has left behind: graphile-worker itself waits four hours for its jobs. */
export function webhookPeriodicJobs({ queue }: Pick<WebhookDeps, 'queue'>): PeriodicJob[] {
  const resume = async () => {
    await queue.resume()
  }
  return [{ name: 'resume-webhooks', cron: '* * * * *', run: resume }]
}
