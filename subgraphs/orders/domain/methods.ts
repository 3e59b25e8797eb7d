import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import {
  assertProducts,
  completeMethods,
  methodsWhere,
  PAYMENT_METHODS,
  PRODUCT_OF,
  type PaymentMethods,
  type SentMethods,
} from '../../../terms/methods.js'

/**
 * The methods that a caller sent, with every absent one as false.
 * @throws invalid_parameters where nothing is allowed, product_disabled where an allowed method's product is off
 */
export function acceptMethods(tenant: Tenant, sent: SentMethods): PaymentMethods {
  const methods = completeMethods(sent)
  if (!allowsAny(methods)) {
    throw new AppError('invalid_parameters', { message: 'The allowed payment methods have to include at least one.' })
  }
  assertProducts(tenant, methods)
  return methods
}

/**
 * The methods of an order that names none: every one whose product is on. An on-ramp is never paid by Pix, so
 * `pixcrypto` is left out there.
 * @throws product_disabled where that leaves nothing
 */
export function defaultMethods(tenant: Tenant, { onRamp }: { onRamp: boolean }): PaymentMethods {
  const methods = methodsWhere(
    (method) => tenant.products.includes(PRODUCT_OF[method]) && !(onRamp && method === 'pixcrypto'),
  )
  if (!allowsAny(methods)) {
    throw new AppError('product_disabled', { message: 'No product is enabled by which this order could be paid.' })
  }
  return methods
}

function allowsAny(methods: PaymentMethods): boolean {
  return PAYMENT_METHODS.some((method) => methods[method])
}
