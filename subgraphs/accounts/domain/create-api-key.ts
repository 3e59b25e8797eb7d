import { AppError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import { integrationOfKey } from './find-integration.js'
import { findTenant } from './find-tenant.js'
import { makeApiKey, type ApiKeyInput, type CreatedApiKey } from './new-api-key.js'

type CreateApiKeyDeps = Pick<AccountsDeps, 'accounts' | 'clock' | 'newId' | 'random'>

/**
 * Gives a tenant another key.
 * @returns the key, which can never be read again, and what is kept of it
 * @throws not_found where there is no such tenant or integration, invalid_parameters when the key would be expired already
 */
export async function createApiKey(
  deps: CreateApiKeyDeps,
  tenant: { id: string },
  input: ApiKeyInput,
): Promise<CreatedApiKey> {
  const { id } = await findTenant(deps, tenant)
  const publicClientId = await integrationOfKey(
    deps,
    { id },
    input.publicClientId ?? null,
    () => new AppError('not_found', { message: 'No such integration.' }),
  )
  const created = makeApiKey(deps, id, { ...input, publicClientId })
  await deps.accounts.addKey(created.apiKey)
  return created
}
