import { AppError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import type { TenantAccount } from '../store/tenant.entity.js'
import { findTenant } from './find-tenant.js'

/**
 * Narrows the fiat currencies of a tenant; effective within 5 seconds, as all that its keys stand for.
 * @param input.fiats ISO 4217, of those that the deployment has; null for all of them
 * @throws not_found where there is no such tenant, invalid_parameters where none or no currency is named
 */
export async function limitFiats(
  deps: Pick<AccountsDeps, 'accounts'>,
  tenant: { id: string },
  { fiats }: { fiats: readonly string[] | null },
): Promise<TenantAccount> {
  if (fiats && (fiats.length === 0 || !fiats.every((fiat) => /^[A-Z]{3}$/.test(fiat)))) {
    throw new AppError('invalid_parameters', { message: 'Fiat currencies are ISO 4217 codes, such as BRL.' })
  }
  const found = await findTenant(deps, tenant)
  await deps.accounts.limitFiats(found.id, fiats)
  return { ...found, fiats: fiats && [...fiats] }
}
