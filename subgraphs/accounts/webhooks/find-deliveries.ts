import { AppError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { WebhookReadDeps } from './deps.js'
import type { DeliveryRecord } from './store/webhook-deliveries.js'
import type { DeliveryState } from './store/webhook.entity.js'

const MAX_PAGE_SIZE = 100

/** A delivery of the tenant. Throws `not_found`, also for one of another tenant. */
export async function findDelivery(
  deps: WebhookReadDeps,
  tenant: Tenant,
  { deliveryId }: { deliveryId: string },
): Promise<DeliveryRecord> {
  const delivery = isId(deliveryId) ? await deps.webhookDeliveries.find(tenant.id, deliveryId) : undefined
  if (!delivery) throw new AppError('not_found', { message: 'No such webhook delivery.' })
  return delivery
}

/** A page of deliveries, newest first; `after` is the id of the last delivery of the page before. */
export interface ListDeliveries {
  first: number
  after?: string | null | undefined
  resourceId?: string | null | undefined
  state?: DeliveryState | null | undefined
}

/** A page of the tenant's deliveries. Throws `invalid_parameters` for `first` outside 1 to 100 or an unknown `after`. */
export async function listDeliveries(
  deps: WebhookReadDeps,
  tenant: Tenant,
  { first, after, resourceId, state }: ListDeliveries,
): Promise<{ deliveries: DeliveryRecord[]; hasMore: boolean }> {
  if (first < 1 || first > MAX_PAGE_SIZE) {
    throw new AppError('invalid_parameters', { message: `first must be between 1 and ${MAX_PAGE_SIZE}.` })
  }
  if (typeof after === 'string' && !isId(after)) {
    throw new AppError('invalid_parameters', { message: 'after must be a cursor of an earlier page.' })
  }
  const found = await deps.webhookDeliveries.list(tenant.id, {
    limit: first + 1,
    beforeId: after ?? undefined,
    resourceId: resourceId ?? undefined,
    state: state ?? undefined,
  })
  return { deliveries: found.slice(0, first), hasMore: found.length > first }
}
