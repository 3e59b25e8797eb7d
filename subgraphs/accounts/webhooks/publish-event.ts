import { attemptDelivery } from './deliver.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { fanOutUpTo } from './fan-out.js'
import { renderText, type RenderedText } from './render-text.js'
import type { DueDelivery } from './store/webhook.entity.js'

export type PublishEventDeps = Pick<
  WebhookDeps,
  'attemptTimeoutMs' | 'clock' | 'endpointQueue' | 'guard' | 'keyRing' | 'newId' | 'queue' | 'renderEvent' | 'secretsOf'
>

/**
 * Tells the tenant of an event: the job `publish-event`. Stores the delivery once, however often the job runs, and makes
 * its first attempt.
 *
 * First attempts of a resource are made in the order of its events. One worker at a time has the resource, by a lease
 * and not by an open transaction; it makes the attempts of all events that are wanted, those that others want meanwhile
 * included, so a worker that finds the resource taken leaves. An attempt that fails gives way to the next event at once.
 *
 * Where the tenant has registered endpoints, no event is passed before its deliveries to them are stored, whoever passes it.
 * @param onLeased called once the event is wanted by the resource's row, which then tells of it even if this process dies
 * @throws when an event cannot be rendered or stored; the job is then repeated
 */
export async function publishEvent(
  deps: PublishEventDeps,
  event: ResourceEvent,
  onLeased: () => void = () => undefined,
): Promise<void> {
  const text = await renderText(deps, event)
  const rendered = text && deliveryOf(deps, event, text)
  const holder = deps.newId()
  try {
    const opening = deps.queue.open(event, holder, rendered)
    const asking = rendered ? deps.secretsOf(event.tenantId, rendered.publicClientId) : Promise.resolve([])
    // A lease has to be taken before it can be given back: a failure of the other must not overtake it.
    await Promise.allSettled([opening, asking])
    const opened = await opening
    const secrets = await asking
    if (opened.hasEndpoints && opened.attempted < event.sequence) {
      await fanOutUpTo(deps, event, opened.attempted, text)
    }
    onLeased()
    if (!opened.held) return
    let wanted: number | undefined = opened.wanted
    for (let sequence = opened.attempted + 1; wanted !== undefined && sequence <= wanted; sequence += 1) {
      const isOwn = sequence === event.sequence && (opened.stored || !rendered)
      wanted = isOwn
        ? await attemptFirst(deps, { ...event, sequence }, holder, rendered, secrets)
        : await attemptFirst(deps, { ...event, sequence }, holder, await prepareDelivery(deps, { ...event, sequence }))
    }
  } catch (error) {
    // Where this fails too the lease runs out, and `resume` finds it.
    await deps.queue.release(event, holder).catch(() => undefined)
    throw error
  }
}

/** @returns up to which event first attempts are wanted now; undefined where the resource is another worker's */
async function attemptFirst(
  deps: PublishEventDeps,
  event: ResourceEvent,
  holder: string,
  delivery: DueDelivery | undefined,
  knownSecrets?: readonly string[],
): Promise<number | undefined> {
  // One that has an attempt was made by a worker that lost the resource meanwhile.
  if (!delivery || delivery.attemptCount > 0) return deps.queue.advance(event, holder)
  const secrets = knownSecrets ?? (await deps.secretsOf(delivery.tenantId, delivery.publicClientId))
  return deps.queue.record(delivery, await attemptDelivery(deps, delivery, secrets), holder)
}

/** The delivery of an event whose own job has stored it, or has not come to it yet, or was lost. */
async function prepareDelivery(deps: PublishEventDeps, event: ResourceEvent): Promise<DueDelivery | undefined> {
  const { delivery: known, hasEndpoints } = await deps.queue.findAt(event)
  const text = known ?? (await renderText(deps, event))
  if (hasEndpoints) await fanOutUpTo(deps, event, event.sequence - 1, text)
  if (known || !text) return known
  const delivery = deliveryOf(deps, event, text)
  return delivery && deps.queue.store(delivery)
}

/** The event as a delivery to the contract's address; undefined where there is none. */
function deliveryOf(
  deps: PublishEventDeps,
  { tenantId, source, resourceId, sequence }: ResourceEvent,
  { type, url, publicClientId, body }: RenderedText,
): DueDelivery | undefined {
  if (url === null) return undefined
  return {
    ...{ tenantId, source, resourceId, sequence },
    ...{ id: deps.newId(), type, url, publicClientId, body },
    ...{ attemptCount: 0, failures: 0, startedAt: deps.clock.now() },
  }
}
