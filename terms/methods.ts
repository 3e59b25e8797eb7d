import { AppError } from '../kernel/errors.js'
import type { Product, Tenant } from '../kernel/tenant.js'

/** The methods that a payment or an order can allow. */
export const PAYMENT_METHODS = ['crypto', 'pixcrypto', 'cardcrypto', 'cardfiat', 'cryptofiat', 'cryptopix'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** Which methods are allowed. */
export type PaymentMethods = Record<PaymentMethod, boolean>

/** Methods as a caller sends them: what is absent or null is not allowed. */
export type SentMethods = { [Method in PaymentMethod]?: boolean | null }

/** The product that each method needs. */
export const PRODUCT_OF: Readonly<Record<PaymentMethod, Product>> = {
  crypto: 'crypto',
  pixcrypto: 'pix',
  cardcrypto: 'credit_card',
  cardfiat: 'credit_card',
  cryptofiat: 'crypto',
  cryptopix: 'crypto',
}

/** The methods for which `isAllowed` holds; every other one is false. */
export function methodsWhere(isAllowed: (method: PaymentMethod) => boolean): PaymentMethods {
  const methods: Partial<PaymentMethods> = {}
  for (const method of PAYMENT_METHODS) methods[method] = isAllowed(method)
  return methods as PaymentMethods
}

/** The methods with every absent one as false. */
export function completeMethods(methods: SentMethods): PaymentMethods {
  return methodsWhere((method) => methods[method] ?? false)
}

/** @throws product_disabled where an allowed method's product is off for the deployment or the tenant */
export function assertProducts(tenant: Pick<Tenant, 'products'>, methods: SentMethods): void {
  for (const method of PAYMENT_METHODS) {
    const product = PRODUCT_OF[method]
    if (!methods[method] || tenant.products.includes(product)) continue
    throw new AppError('product_disabled', {
      message: `The product ${product}, which ${method} needs, is not enabled.`,
    })
  }
}

/** The methods that can be paid; the others have no transaction type, and may only be allowed together with one of these. */
export const PAYABLE_METHODS: readonly PaymentMethod[] = ['crypto', 'pixcrypto', 'cardcrypto', 'cardfiat']

/** The allowed methods that can be paid. */
export function payableMethods(methods: SentMethods): PaymentMethod[] {
  return PAYABLE_METHODS.filter((method) => methods[method])
}

/** Why methods of which some are allowed can pay nothing; undefined where they can, or where none is allowed at all. */
export function methodsProblem(methods: SentMethods): string | undefined {
  if (payableMethods(methods).length > 0 || !PAYMENT_METHODS.some((method) => methods[method])) return undefined
  return `must allow at least one of ${PAYABLE_METHODS.join(', ')}`
}

/** Whether the receivers can be paid in fiat by the card processor only: their wallets are then only labels. */
export function paysInFiatOnly(methods: SentMethods): boolean {
  const payable = payableMethods(methods)
  return payable.length > 0 && payable.every((method) => method === 'cardfiat')
}
