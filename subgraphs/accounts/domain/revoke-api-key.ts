import { AppError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import type { ApiKey } from '../store/api-key.entity.js'

/**
 * Revokes a key for good; every gateway notices within 5 seconds. Revoking it again changes nothing.
 * @throws not_found where there is no such key
 */
export async function revokeApiKey(
  deps: Pick<AccountsDeps, 'accounts' | 'clock'>,
  { keyId }: { keyId: string },
): Promise<ApiKey> {
  const key = await deps.accounts.revokeKey(keyId, deps.clock.now())
  if (!key) throw new AppError('not_found', { message: 'No such key.' })
  return key
}
