import { AppError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import type { TenantAccount } from '../store/tenant.entity.js'

/** The tenant's own row. Throws `not_found` where there is none. */
export async function findTenant(deps: Pick<AccountsDeps, 'accounts'>, { id }: { id: string }): Promise<TenantAccount> {
  const tenant = await deps.accounts.findTenant(id)
  if (!tenant) throw new AppError('not_found', { message: 'No such tenant.' })
  return tenant
}
