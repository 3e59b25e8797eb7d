import type { AccountsDeps } from '../deps.js'
import { findTenant } from './find-tenant.js'
import { makeIntegration, type CreatedIntegration, type NewIntegrationDeps } from './new-integration.js'

type CreateIntegrationDeps = NewIntegrationDeps & Pick<AccountsDeps, 'accounts'>

/**
 * Gives a tenant another integration; the default one, which came with the tenant, stays the default.
 * @throws not_found where there is no such tenant
 */
export async function createIntegration(
  deps: CreateIntegrationDeps,
  tenant: { id: string },
  input: { webhookUrl: string | null },
): Promise<CreatedIntegration> {
  const { id } = await findTenant(deps, tenant)
  const created = makeIntegration(deps, id, { ...input, isDefault: false })
  await deps.accounts.addIntegration(created.integration)
  return created
}
