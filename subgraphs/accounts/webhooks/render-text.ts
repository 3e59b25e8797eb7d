import type { RenderedEvent } from '../../../kernel/resource-event.js'
import type { ResourceEvent, WebhookDeps } from './deps.js'
import { sealBody } from './sealed-body.js'

/** An event with the exact text to sign, as it is stored, and where the contract sends it. */
export type RenderedText = Pick<RenderedEvent, 'type' | 'url' | 'publicClientId'> & { body: string }

/** Renders an event; undefined where tenants are not told of it. */
export async function renderText(
  deps: Pick<WebhookDeps, 'keyRing' | 'renderEvent'>,
  event: ResourceEvent,
): Promise<RenderedText | undefined> {
  const rendered = await deps.renderEvent(event)
  if (!rendered) return undefined
  const { type, timestamp, url, publicClientId, data } = rendered
  const text = JSON.stringify({ type, timestamp, sequence: event.sequence, data })
  return { type, url, publicClientId, body: sealBody(deps.keyRing, event, text) }
}
