import { AppError } from '../../../kernel/errors.js'
import { publicClientIdProblem } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import { findTenant } from './find-tenant.js'
import { makeIntegration, type CreatedIntegration, type NewIntegrationDeps } from './new-integration.js'

type CreateIntegrationDeps = NewIntegrationDeps & Pick<AccountsDeps, 'accounts'>

/**
 * Gives a tenant another integration; the default one, which came with the tenant, stays the default.
 * @param input.publicClientId an id that it has elsewhere already; a new one is made where left out
 * @throws not_found where there is no such tenant, invalid_parameters where the id has another form or is taken
 */
export async function createIntegration(
  deps: CreateIntegrationDeps,
  tenant: { id: string },
  input: { webhookUrl: string | null; publicClientId?: string | undefined },
): Promise<CreatedIntegration> {
  const { id } = await findTenant(deps, tenant)
  const { webhookUrl, publicClientId } = input
  const problem = publicClientId === undefined ? undefined : publicClientIdProblem(publicClientId, undefined)
  if (problem !== undefined) throw new AppError('invalid_parameters', { message: `The id ${problem}.` })
  const created = makeIntegration(deps, id, { webhookUrl, isDefault: false }, publicClientId)
  if (await deps.accounts.addIntegration(created.integration)) return created
  throw new AppError('invalid_parameters', { message: 'This integration id is taken.' })
}
