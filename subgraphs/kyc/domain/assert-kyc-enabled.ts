import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'

/** Throws product_disabled where the tenant has no identity verification. */
export function assertKycEnabled({ products }: Pick<Tenant, 'products'>): void {
  if (!products.includes('kyc')) throw new AppError('product_disabled')
}
