import type { AccountsDeps } from '../deps.js'
import { makeApiKey, type ApiKeyInput, type CreatedApiKey } from './new-api-key.js'

type CreatePlatformKeyDeps = Pick<AccountsDeps, 'accounts' | 'clock' | 'newId' | 'random'>

/**
 * Makes a key of the deployment itself: it can do what needs no tenant.
 * @throws invalid_parameters when the key would be expired already
 */
export async function createPlatformKey(deps: CreatePlatformKeyDeps, input: ApiKeyInput): Promise<CreatedApiKey> {
  const created = makeApiKey(deps, null, input)
  await deps.accounts.addKey(created.apiKey)
  return created
}
