import { AppError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import type { ActingTenant } from './acting-tenant.js'
import type { Integration } from '../store/integration.entity.js'

/**
 * Says where the events of an integration go when a payment or an order names no address. Events that are on their way
 * already go where they were sent to.
 * @param change.webhookUrl null for nowhere
 * @returns the integration as it is now
 * @throws not_found where the tenant has no such integration
 */
export async function changeIntegration(
  deps: Pick<AccountsDeps, 'accounts' | 'transaction'>,
  tenant: ActingTenant,
  { publicClientId, webhookUrl }: { publicClientId: string; webhookUrl: string | null },
): Promise<Integration> {
  await deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    await deps.accounts.setWebhookUrl(em, { tenantId: tenant.id, publicClientId }, webhookUrl)
  })
  const changed = await deps.accounts.findIntegration(tenant.id, publicClientId)
  if (!changed) throw new AppError('not_found', { message: 'No such integration.' })
  return changed
}
