import { AppError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import { integrationOfKey } from './find-integration.js'
import { findTenant } from './find-tenant.js'
import { makeApiKey, type ApiKeyInput, type CreatedApiKey } from './new-api-key.js'

type CreateApiKeyDeps = Pick<AccountsDeps, 'accounts' | 'clock' | 'newId' | 'random'>

/**
 * Gives a tenant another key, or the deployment itself, whose keys can do what needs no tenant.
 * @param owner null for the deployment
 * @returns the key, which can never be read again, and what is kept of it
 * @throws not_found where there is no such tenant or integration, invalid_parameters when the key would be expired already
 */
export async function createApiKey(
  deps: CreateApiKeyDeps,
  owner: { id: string } | null,
  input: ApiKeyInput,
): Promise<CreatedApiKey> {
  const tenant = owner && (await findTenant(deps, owner))
  const missing = () => new AppError('not_found', { message: 'No such integration.' })
  const publicClientId = tenant && (await integrationOfKey(deps, tenant, input.publicClientId ?? null, missing))
  const created = makeApiKey(deps, tenant?.id ?? null, { ...input, publicClientId })
  await deps.accounts.addKey(created.apiKey)
  return created
}
