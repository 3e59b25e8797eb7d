import type { AppError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'

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
  const integration = await deps.accounts.findIntegration(tenant.id, publicClientId)
  if (!integration) throw missing()
  return integration.isDefault ? null : integration.publicClientId
}
