import type { Product } from '../kernel/tenant.js'

/** The methods that a payment or an order can allow. */
export const PAYMENT_METHODS = ['crypto', 'pixcrypto', 'cardcrypto', 'cardfiat', 'cryptofiat', 'cryptopix'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

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

/** The methods that can be paid; the others have no transaction type, and may only be allowed together with one of these. */
const PAYABLE_METHODS: readonly PaymentMethod[] = ['crypto', 'pixcrypto', 'cardcrypto', 'cardfiat']

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
