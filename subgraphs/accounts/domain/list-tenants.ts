import type { AccountsDeps } from '../deps.js'
import type { TenantAccount } from '../store/tenant.entity.js'

/** Tenants on one page. */
const PAGE = 100

/**
 * The tenants, newest first.
 * @param after the id of the last one of the page before
 * @returns the page, and what the next one comes after; undefined at the end
 */
export async function listTenants(
  deps: Pick<AccountsDeps, 'accounts'>,
  { after }: { after: string | undefined },
): Promise<{ tenants: TenantAccount[]; next: string | undefined }> {
  const found = await deps.accounts.listTenants(after, PAGE + 1)
  const tenants = found.slice(0, PAGE)
  return { tenants, next: found.length > PAGE ? tenants.at(-1)?.id : undefined }
}
