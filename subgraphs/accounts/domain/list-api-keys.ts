import type { AccountsDeps } from '../deps.js'
import type { ApiKey } from '../store/api-key.entity.js'

/** The keys of a tenant, or for null the platform keys, newest first; expired and revoked ones too. */
export function listApiKeys(deps: Pick<AccountsDeps, 'accounts'>, tenant: { id: string } | null): Promise<ApiKey[]> {
  return deps.accounts.listKeys(tenant?.id ?? null)
}
