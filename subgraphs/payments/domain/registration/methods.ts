import { AppError } from '../../../../kernel/errors.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { PAYMENT_METHODS, PRODUCT_OF } from '../../../../terms/methods.js'
import type { PaymentMethods } from '../../model/payment-terms.js'

/** The methods with every absent one as false. */
export function completeMethods(methods: Partial<PaymentMethods>): PaymentMethods {
  const entries = PAYMENT_METHODS.map((method) => [method, methods[method] ?? false] as const)
  return Object.fromEntries(entries) as unknown as PaymentMethods
}

/** Throws `product_disabled` where an enabled method's product is off for the deployment or the tenant. */
export function assertProducts(tenant: Tenant, methods: Partial<PaymentMethods>): void {
  for (const method of PAYMENT_METHODS) {
    const product = PRODUCT_OF[method]
    if (methods[method] && !tenant.products.includes(product)) {
      throw new AppError('product_disabled', {
        message: `The product ${product}, which ${method} needs, is not enabled.`,
      })
    }
  }
}
