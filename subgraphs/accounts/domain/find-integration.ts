import type { AppError } from '../../../kernel/errors.js'
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

/**
 * The integration that a new key is for, as keys name it: null for the default one.
 * @param missing makes the failure of an integration that the tenant has not
 */
export async function integrationOfKey(
  deps: Pick<AccountsDeps, 'accounts'>,
  tenant: { id: string },
  publicClientId: string | null,
  missing: () => AppError,
): Promise<string | null> {
  if (publicClientId === null) return null
  const integration = await findIntegration(deps, tenant, { publicClientId })
  if (!integration) throw missing()
  return integration.isDefault ? null : integration.publicClientId
}
