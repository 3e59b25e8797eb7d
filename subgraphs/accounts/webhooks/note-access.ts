import DataLoader from 'dataloader'
import type { WebhookContext } from './deps.js'
import { SEALED } from './sealed-body.js'
import type { DeliveryRecord } from './store/webhook-deliveries.js'

/** Of each request: the fields of a list are resolved in one tick, and what they read is written down together. */
const loaders = new WeakMap<WebhookContext, DataLoader<string, undefined>>()

/**
 * Has it written down that the request's caller reads what a delivery tells of a person, before they do: once for each person of a
 * request. A delivery about nobody leaves no entry.
 * @throws where our own database fails; then nothing may be shown
 */
export async function noteAccess(context: WebhookContext, delivery: DeliveryRecord): Promise<void> {
  if (!SEALED.has(delivery.source)) return
  const known = loaders.get(context)
  const loader = known ?? loaderOf(context, delivery.tenantId)
  if (!known) loaders.set(context, loader)
  await loader.load(delivery.resourceId)
}

function loaderOf({ caller, requestId, deps }: WebhookContext, tenantId: string): DataLoader<string, undefined> {
  return new DataLoader<string, undefined>(async (personIds) => {
    await deps.notedAccesses.note(personIds.map((personId) => ({ tenantId, personId, actor: caller.keyId, requestId })))
    return personIds.map(() => undefined)
  })
}
