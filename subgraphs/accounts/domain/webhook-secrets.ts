import { decrypt } from '../../../kernel/encryption.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import { sealContext } from './new-integration.js'

/**
 * The `whsec_` secrets that sign what a tenant is told, the newest first; two while a rotation lasts. Payments may name
 * a public id that is no integration of ours: then the default integration signs. Empty where the tenant has none.
 */
export async function webhookSecrets(
  deps: Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing'>,
  { id: tenantId }: Pick<Tenant, 'id'>,
  { publicClientId }: { publicClientId: string | null },
): Promise<string[]> {
  const { accounts, clock, keyRing } = deps
  const named = publicClientId === null ? undefined : await accounts.findIntegration(tenantId, publicClientId)
  const integration = named ?? (await accounts.findIntegration(tenantId, null))
  if (!integration) return []
  const { webhookSecret, previousWebhookSecret, previousUntil } = integration
  const sealed = [webhookSecret]
  if (previousWebhookSecret && previousUntil && previousUntil > clock.now()) sealed.push(previousWebhookSecret)
  return sealed.map((secret) => decrypt(keyRing, secret, sealContext(integration)))
}
