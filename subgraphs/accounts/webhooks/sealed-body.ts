import { decrypt, encrypt, isSealedWithCurrent, type KeyRing } from '../../../kernel/encryption.js'
import type { StoredBody } from './store/stored-bodies.js'
import type { EventKey } from './store/webhook-queue.js'
import type { EventSource } from './store/webhook.entity.js'

/** Sources that keep sealed what their events tell: a copy of it in a delivery is sealed too. */
export const SEALED: ReadonlySet<EventSource> = new Set(['kyc'])

/** The text of an event, as it is stored. */
export function sealBody(ring: KeyRing, event: EventKey, text: string): string {
  return SEALED.has(event.source) ? encrypt(ring, text, sealContext(event)) : text
}

/** The text of a delivery, as it is signed, sent and shown. @throws Error where no key of the ring opens it */
export function openBody(ring: KeyRing, { body, ...event }: StoredBody): string {
  return isSealed(body) ? decrypt(ring, body, sealContext(event)) : body
}

/** The same, sealed with the current key, also where it was stored before bodies were sealed. @throws as `openBody` */
export function resealBody(ring: KeyRing, { body, ...event }: StoredBody): string {
  if (isSealed(body) && isSealedWithCurrent(ring, body)) return body
  return sealBody(ring, event, openBody(ring, { ...event, body }))
}

/** What is not sealed is JSON, and begins with a brace. */
function isSealed(body: string): boolean {
  return !body.startsWith('{')
}

/** Deliveries of one event to several endpoints have the same text. */
function sealContext({ tenantId, source, resourceId, sequence }: EventKey): string {
  return ['webhook-body', tenantId, source, resourceId, sequence].join(':')
}
