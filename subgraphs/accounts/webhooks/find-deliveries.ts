import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { AppError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { WebhookReadDeps } from './deps.js'
import type { DeliveryRecord } from './store/webhook-deliveries.js'
import type { DeliveryState } from './store/webhook.entity.js'

/** A delivery of the tenant. Throws `not_found`, also for one of another tenant. */
export async function findDelivery(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { deliveryId }: { deliveryId: string },
): Promise<DeliveryRecord> {
  const delivery = isId(deliveryId) ? await deps.webhookDeliveries.find(tenant.id, deliveryId) : undefined
  if (!delivery) throw new AppError('not_found', { message: 'No such webhook delivery.' })
  return delivery
}

export interface ListDeliveries extends PageRequest {
  resourceId?: string | null | undefined
  state?: DeliveryState | null | undefined
}

/** A page of the tenant's deliveries, newest first. Throws `validation_error` on `first` or `after`. */
export async function listDeliveries(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { resourceId, state, ...request }: ListDeliveries,
): Promise<Connection<DeliveryRecord>> {
  const { size, after: beforeId } = readPage(request, (text) => (isId(text) ? text : undefined))
  // One more than asked for tells whether another page follows.
  const found = await deps.webhookDeliveries.list(tenant.id, {
    limit: size + 1,
    beforeId,
    resourceId: resourceId ?? undefined,
    state: state ?? undefined,
  })
  return connectionOf(found, { size, hasPreviousPage: beforeId !== undefined }, ({ id }) => id)
}
