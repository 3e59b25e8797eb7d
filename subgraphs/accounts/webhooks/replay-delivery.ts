import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { WebhookReadDeps } from './deps.js'
import { findDeliveryToReplay, findOrderedDelivery } from './find-deliveries.js'
import type { DeliveryRecord } from './store/webhook-deliveries.js'

/**
 * Sends a delivery again, under the same `webhook-id` and with the whole schedule before it, whatever came of it before.
 * Answers it as it was ordered, also where the idempotency key was used before. It goes to where it went: the contract's address,
 * or its registered endpoint. Throws `not_found`, also for a delivery of another tenant, `webhook_endpoint_off` and `replay_limit_reached`.
 */
export async function replayDelivery(
  deps: Pick<WebhookReadDeps, 'webhookDeliveries'>,
  tenant: Tenant,
  { deliveryId }: { deliveryId: string },
): Promise<DeliveryRecord> {
  const earlier = await deps.webhookDeliveries.firstAnswer(tenant)
  if (earlier) return findOrderedDelivery(deps, tenant, earlier)
  const found = await findDeliveryToReplay(deps, tenant, { deliveryId })
  if (found.endpointId != null && found.endpoint?.isEnabled !== true) throw new AppError('webhook_endpoint_off')
  return findOrderedDelivery(deps, tenant, await deps.webhookDeliveries.replay(tenant, found))
}
