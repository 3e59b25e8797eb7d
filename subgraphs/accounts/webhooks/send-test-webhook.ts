import { AppError, validationError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { AccountsStore } from '../store/accounts.js'
import type { WebhookReadDeps } from './deps.js'
import { EVENT_TYPES } from './event-types.js'
import { findOrderedDelivery } from './find-deliveries.js'
import type { DeliveryRecord } from './store/webhook-deliveries.js'

/** What sending a test event needs. */
export interface SendTestWebhookDeps extends WebhookReadDeps {
  accounts: Pick<AccountsStore, 'findIntegration'>
  newId: () => string
  clock: { now: () => Date }
}

/**
 * Sends an event that never happened to the address of an integration, by default the tenant's default one: signed, delivered, repeated and logged
 * like any other. Its `data` says that it is a test.
 * @returns the delivery as it was ordered; that of the earlier request where the idempotency key was used before
 * @throws validation_error on `type` or `publicClientId`, webhook_address_missing, idempotency_*
 */
export async function sendTestWebhook(
  deps: SendTestWebhookDeps,
  tenant: Tenant,
  { type, publicClientId = null }: { type: string; publicClientId?: string | null },
): Promise<DeliveryRecord> {
  // First, so that a replay is not judged by an address that is gone or another one since.
  const earlier = await deps.webhookDeliveries.firstAnswer(tenant)
  if (earlier) return findOrderedDelivery(deps, tenant, earlier)
  if (!EVENT_TYPES.includes(type)) {
    throw validationError([{ field: 'type', message: `must be one of ${EVENT_TYPES.join(', ')}` }])
  }
  const integration = await deps.accounts.findIntegration(tenant.id, publicClientId)
  if (!integration && publicClientId !== null) {
    throw validationError([{ field: 'publicClientId', message: 'must be one of your integrations' }])
  }
  if (integration?.webhookUrl == null) throw new AppError('webhook_address_missing')
  const resourceId = deps.newId()
  const at = deps.clock.now()
  const data = { id: resourceId, test: true, message: 'A test: nothing has happened.' }
  const ordered = await deps.webhookDeliveries.addTest(tenant, {
    ...{ id: deps.newId(), resourceId, type, url: integration.webhookUrl },
    publicClientId: integration.publicClientId,
    body: JSON.stringify({ type, timestamp: at.toISOString(), sequence: 1, data }),
  })
  return findOrderedDelivery(deps, tenant, ordered)
}
