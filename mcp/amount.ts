import { compare } from '../kernel/money.js'

/** Where the amount of a tool's call is: in an argument, or in the payment or the order that an argument names. */
export interface AmountRule {
  /** The argument that is the amount. */
  field?: string
  /** The argument that names a payment or an order, whose `amount_from` it is where the field is absent. */
  of?: { argument: string; read: 'paymentStatus' | 'getOrder'; parameter: string }
  /** What `of` names decides, whatever the field says: a payment from an order is of the order's amount. */
  isOfFirst?: true
}

const OF_PAYMENT = { of: { argument: 'payment_id', read: 'paymentStatus', parameter: 'id' } } as const

/** Tools that move money, or promise to. One without a rule for its amount is confirmed whatever it is. */
export const AMOUNTS: Readonly<Record<string, AmountRule>> = {
  registerPayment: {
    field: 'amount_from',
    of: { argument: 'order_code', read: 'getOrder', parameter: 'order_id' },
    isOfFirst: true,
  },
  createTransaction: OF_PAYMENT,
  executeOnChain: OF_PAYMENT,
  refundPayment: { field: 'amount', of: { argument: 'id', read: 'paymentStatus', parameter: 'id' } },
  createOrder: { field: 'amount_from' },
  updateOrder: { field: 'amount_from', of: { argument: 'order_id', read: 'getOrder', parameter: 'order_id' } },
  depositYield: { field: 'amount' },
  withdrawYield: { field: 'amount' },
  rebalanceYield: { field: 'amount' },
  // What was signed is not looked into here.
  broadcastYield: {},
}

const DECIMAL = /^\d{1,60}(\.\d{1,60})?$/

/** Whether a decimal is greater than another; one that is none is. */
export function isAbove(amount: unknown, limit: string): boolean {
  return typeof amount !== 'string' || !DECIMAL.test(amount) || compare(amount, limit) > 0
}
