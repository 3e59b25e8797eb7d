import { validationError } from '../../../../kernel/errors.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { isTolerance } from '../../model/payment-address.js'
import type { Stores } from '../../store/stores.js'

/** What setting the tolerance needs. */
export type SetToleranceDeps = Pick<Stores, 'addresses'>

/**
 * Sets how much less than the price a tenant takes for the whole at the addresses that are opened from here on.
 * @param percent a decimal string, 0 to 10, with two decimals at most
 * @returns the same
 * @throws validation_error
 */
export async function setTolerance({ addresses }: SetToleranceDeps, { id }: Tenant, percent: string): Promise<string> {
  if (!isTolerance(percent)) {
    throw validationError([{ field: 'percent', message: 'must be 0 to 10, with two decimals at most' }])
  }
  await addresses.setTolerance(id, percent)
  return percent
}
