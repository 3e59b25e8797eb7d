import { isId } from '../../../kernel/ids.js'
import { AppError, validationError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { AccountsStore } from '../store/accounts.js'
import type { WebhookReadDeps } from './deps.js'
import { EVENT_TYPES } from './event-types.js'
import { findOrderedDelivery } from './find-deliveries.js'
import type { DeliveryRecord, TestDelivery } from './store/webhook-deliveries.js'

/** What sending a test event needs. */
export interface SendTestWebhookDeps extends WebhookReadDeps {
  accounts: Pick<AccountsStore, 'findIntegration'>
  newId: () => string
  clock: { now: () => Date }
}

/** A test event, and where it goes. */
export interface SendTestInput {
  type: string
  publicClientId?: string | null
  endpointId?: string | null
}

type TestTarget = Omit<SendTestInput, 'type'>
type Target = Pick<TestDelivery, 'endpointId' | 'publicClientId' | 'url'>

/**
 * Sends an event that never happened to the address of an integration, by default the tenant's default one, or to a registered
 * endpoint, whatever events it gets: signed, delivered, repeated and logged like any other. Its `data` says that it is a test.
 * @returns the delivery as it was ordered; that of the earlier request where the idempotency key was used before
 * @throws validation_error on `type`, `publicClientId` or `endpointId`, webhook_address_missing, replay_limit_reached, idempotency_*
 */
export async function sendTestWebhook(
  deps: SendTestWebhookDeps,
  tenant: Tenant,
  { type, ...where }: SendTestInput,
): Promise<DeliveryRecord> {
  // First, so that a replay is not judged by an address that is gone or another one since.
  const earlier = await deps.webhookDeliveries.firstAnswer(tenant)
  if (earlier) return findOrderedDelivery(deps, tenant, earlier)
  if (!EVENT_TYPES.includes(type)) {
    throw validationError([{ field: 'type', message: `must be one of ${EVENT_TYPES.join(', ')}` }])
  }
  const target =
    where.endpointId == null ? await integrationOf(deps, tenant, where) : await endpointOf(deps, tenant, where)
  const resourceId = deps.newId()
  const at = deps.clock.now()
  const data = { id: resourceId, test: true, message: 'A test: nothing has happened.' }
  const ordered = await deps.webhookDeliveries.addTest(tenant, {
    ...{ id: deps.newId(), resourceId, type, ...target },
    body: JSON.stringify({ type, timestamp: at.toISOString(), sequence: 1, data }),
  })
  return findOrderedDelivery(deps, tenant, ordered)
}

async function integrationOf(
  deps: SendTestWebhookDeps,
  tenant: Tenant,
  { publicClientId = null }: TestTarget,
): Promise<Target> {
  const integration = await deps.accounts.findIntegration(tenant.id, publicClientId)
  if (!integration && publicClientId !== null) {
    throw validationError([{ field: 'publicClientId', message: 'must be one of your integrations' }])
  }
  if (integration?.webhookUrl == null) throw new AppError('webhook_address_missing')
  return { url: integration.webhookUrl, publicClientId: integration.publicClientId, endpointId: null }
}

async function endpointOf(
  deps: SendTestWebhookDeps,
  tenant: Tenant,
  { publicClientId, endpointId }: TestTarget,
): Promise<Target> {
  const refuse = (message: string): never => {
    throw validationError([{ field: 'endpointId', message }])
  }
  if (publicClientId != null) refuse('must be left out where an integration is named')
  const endpoint = isId(endpointId ?? '') ? await deps.registeredEndpoints.find(tenant.id, endpointId ?? '') : undefined
  if (!endpoint) return refuse('must be one of your webhook endpoints')
  if (!endpoint.isEnabled) return refuse('is switched off')
  return { url: endpoint.url, publicClientId: null, endpointId: endpoint.id }
}
