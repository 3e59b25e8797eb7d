import { AppError } from '../../../kernel/errors.js'
import type { Product } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import type { TenantAccount } from '../store/tenant.entity.js'
import { checkTenantName } from './create-tenant.js'
import { findTenant } from './find-tenant.js'

/** What an operator may change of a tenant; what is left out stays. */
export interface TenantChange {
  name?: string | undefined
  products?: readonly Product[] | undefined
  /** A tenant that is disabled has no key that opens anything; what is paid already is settled as ever. */
  disabled?: boolean | undefined
}

/**
 * Changes a tenant; effective within 5 seconds, as all that its keys stand for.
 * @throws not_found where there is no such tenant, invalid_parameters where nothing is changed or the name is no name
 */
export async function changeTenant(
  deps: Pick<AccountsDeps, 'accounts' | 'clock'>,
  tenant: { id: string },
  { name, products, disabled }: TenantChange,
): Promise<TenantAccount> {
  if (name === undefined && products === undefined && disabled === undefined) {
    throw new AppError('invalid_parameters', { message: 'Nothing is to be changed.' })
  }
  const { disabledAt } = await findTenant(deps, tenant)
  await deps.accounts.changeTenant(tenant.id, {
    ...(name !== undefined && { name: checkTenantName(name) }),
    ...(products && { products: [...new Set(products)] }),
    ...(disabled !== undefined && { disabledAt: disabled ? (disabledAt ?? deps.clock.now()) : null }),
  })
  return findTenant(deps, tenant)
}
