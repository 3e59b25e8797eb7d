import type { AccountsDeps } from '../deps.js'
import type { Integration } from '../store/integration.entity.js'

/** An integration of the tenant by its public id, or for null the default one; null where the tenant has no such. */
export async function findIntegration(
  deps: Pick<AccountsDeps, 'accounts'>,
  tenant: { id: string },
  { publicClientId }: { publicClientId: string | null },
): Promise<Integration | null> {
  return (await deps.accounts.findIntegration(tenant.id, publicClientId)) ?? null
}
