import type { ResourceEvent, WebhookDeps } from './deps.js'
import { renderText } from './render-text.js'
import type { EventText } from './store/endpoint-queue.js'

type FanOutDeps = Pick<WebhookDeps, 'endpointQueue' | 'keyRing' | 'queue' | 'renderEvent'>

/**
 * Stores the deliveries of an event to the tenant's endpoints, and before them those of the events before it that have none
 * yet: so an endpoint's deliveries of a resource come in the order of its events. What is stored already stays as it is.
 * @param attempted up to which event the resource was passed, which none is before its deliveries are stored
 * @param own the text of the event itself; undefined where tenants are not told of it
 */
export async function fanOutUpTo(
  deps: FanOutDeps,
  event: ResourceEvent,
  attempted: number,
  own: EventText | undefined,
): Promise<void> {
  if (attempted + 1 < event.sequence) {
    const { fanned } = await deps.endpointQueue.standingOf(event)
    for (let sequence = Math.max(attempted, fanned) + 1; sequence < event.sequence; sequence += 1) {
      const earlier = { ...event, sequence }
      const { delivery } = await deps.queue.findAt(earlier)
      const text = delivery ?? (await renderText(deps, earlier))
      if (text) await deps.endpointQueue.fanOut(earlier, text)
    }
  }
  if (own) await deps.endpointQueue.fanOut(event, own)
}

/** The same for an event whose own job finds no slot: a contract's address that is slow keeps no endpoint waiting. */
export async function fanOutWithoutSlot(deps: FanOutDeps, event: ResourceEvent): Promise<void> {
  const { hasEndpoints, attempted } = await deps.endpointQueue.standingOf(event)
  if (hasEndpoints && attempted < event.sequence) {
    await fanOutUpTo(deps, event, attempted, await renderText(deps, event))
  }
}
