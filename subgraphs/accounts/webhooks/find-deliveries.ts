import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { AppError, validationError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { WebhookReadDeps } from './deps.js'
import type {
  DeliveryFilter,
  DeliveryRecord,
  DeliveryWithEndpoint,
  OrderedDelivery,
} from './store/webhook-deliveries.js'

/** Names the list in its cursors. */
const LIST = 'delivery'

/** A delivery of the tenant. Throws `not_found`, also for one of another tenant. */
export async function findDelivery(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { deliveryId }: { deliveryId: string },
): Promise<DeliveryRecord> {
  return found(isId(deliveryId) ? await deps.webhookDeliveries.find(tenant.id, deliveryId) : undefined)
}

/** The same delivery as it is before a replay, which asks for none of its attempts. Throws `not_found`. */
export async function findDeliveryToReplay(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { deliveryId }: { deliveryId: string },
): Promise<DeliveryWithEndpoint> {
  return found(isId(deliveryId) ? await deps.webhookDeliveries.findWithoutAttempts(tenant.id, deliveryId) : undefined)
}

function found<Delivery>(delivery: Delivery | undefined): Delivery {
  if (!delivery) throw new AppError('not_found', { message: 'No such webhook delivery.' })
  return delivery
}

/** A delivery as it was when it was ordered: to be attempted, whatever came of it since. Throws `not_found`. */
export async function findOrderedDelivery(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { deliveryId, attemptCount, nextAttemptAt, deliveredAt }: OrderedDelivery,
): Promise<DeliveryRecord> {
  return {
    ...found(await deps.webhookDeliveries.find(tenant.id, deliveryId, attemptCount)),
    state: 'pending',
    nextAttemptAt: nextAttemptAt ? new Date(nextAttemptAt) : null,
    deliveredAt: deliveredAt ? new Date(deliveredAt) : null,
  }
}

/** A page of the tenant's deliveries, newest first. Throws `validation_error` on `first` or `after`. */
export async function listDeliveries(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { first, after, ...filter }: PageRequest & DeliveryFilter,
): Promise<Connection<DeliveryRecord>> {
  const { size, after: beforeId } = readPage({ first, after }, (text) => (isId(text) ? text : undefined), LIST)
  // One more than asked for tells whether another page follows.
  const deliveries = await deps.webhookDeliveries.list(tenant.id, filter, { limit: size + 1, beforeId })
  return connectionOf(deliveries, { size, hasPreviousPage: beforeId !== undefined, list: LIST }, ({ id }) => id)
}

/** A page that is asked for with its filter side by side. */
export interface DeliveryPageInput extends DeliveryFilter {
  /** From 1 to 100; 20 where left out. */
  limit?: number | null | undefined
  after?: string | null | undefined
}

const LIMIT_MAX = 100

/** The same list, a page of it, and what `after` is for the one behind it. Throws `validation_error` on `limit` or `after`. */
export async function listDeliveryPage(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { limit, after, ...filter }: DeliveryPageInput,
): Promise<{ deliveries: DeliveryRecord[]; next: string | null }> {
  if (limit != null && (limit < 1 || limit > LIMIT_MAX)) {
    throw validationError([{ field: 'limit', message: `must be from 1 to ${LIMIT_MAX}` }])
  }
  const { edges, pageInfo } = await listDeliveries(deps, tenant, { first: limit, after, ...filter })
  return { deliveries: edges.map(({ node }) => node), next: pageInfo.hasNextPage ? pageInfo.endCursor : null }
}
