import type { Tenant } from '../../../kernel/tenant.js'
import type { WebhookReadDeps } from './deps.js'
import { findDelivery } from './find-deliveries.js'
import type { DeliveryRecord } from './store/webhook-deliveries.js'

/**
 * Sends a delivery again, under the same `webhook-id` and with the whole schedule before it, whatever came of it before.
 * Throws `not_found`, also for a delivery of another tenant.
 */
export async function replayDelivery(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { deliveryId }: { deliveryId: string },
): Promise<DeliveryRecord> {
  await findDelivery(deps, tenant, { deliveryId })
  const replayedId = await deps.webhookDeliveries.replay(tenant, deliveryId)
  return findDelivery(deps, tenant, { deliveryId: replayedId })
}
