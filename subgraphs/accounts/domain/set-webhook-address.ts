import { validationError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import type { ActingTenant } from './acting-tenant.js'
import type { Integration } from '../store/integration.entity.js'
import { changeIntegration } from './change-integration.js'

/**
 * Says where the events of an integration go when a payment or an order names no address. What was registered before keeps
 * the address that it was registered with.
 * @param input.url null for none
 * @throws not_found where the tenant has no such integration, validation_error on `url`
 */
export async function setWebhookAddress(
  deps: Pick<AccountsDeps, 'accounts' | 'checkWebhookUrl' | 'transaction'>,
  tenant: ActingTenant,
  { publicClientId, url }: { publicClientId: string; url: string | null },
): Promise<Integration> {
  const problem = url === null ? undefined : await deps.checkWebhookUrl(url, tenant.id)
  if (problem !== undefined) throw validationError([{ field: 'url', message: problem }])
  return changeIntegration(deps, tenant, { publicClientId, webhookUrl: url })
}
