import type { PaymentsVariables, PaymentStatus, TransactionType } from '../generated/operations.js'
import { PAGE_SIZE } from '../parts/pager.js'
import { typedAmount } from '../parts/typed-amount.js'
import { day, oneOf, searchOf, startOfDay, text } from './search-text.js'

export const STATUSES = ['REGISTERED', 'PENDING', 'SUCCESS', 'ERROR', 'REPROVED'] as const satisfies PaymentStatus[]
export const METHODS = [
  'PIXCRYPTO',
  'CARDCRYPTO',
  'CARDFIAT',
  'CRYPTO',
  'FIATCRYPTO',
] as const satisfies TransactionType[]

/** What the list of payments is filtered by, as it is in the address. */
export const paymentSearch = searchOf({
  status: oneOf(STATUSES),
  method: oneOf(METHODS),
  search: text,
  /** As it was typed. */
  amount: amountText,
  /** The first and the last day. */
  from: day,
  to: day,
  order: text,
  after: text,
})
export type PaymentSearch = ReturnType<typeof paymentSearch>

function amountText(value: unknown): string | undefined {
  const typed = text(value)
  return typed !== undefined && typedAmount(typed) ? typed : undefined
}

export function isFiltered({ after: _after, ...filters }: PaymentSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

export function paymentVariables(chosen: PaymentSearch): PaymentsVariables {
  const { status, method, search, amount, from, to, order, after } = chosen
  const wanted = amount === undefined ? undefined : typedAmount(amount)
  const filter = {
    status,
    transactionType: method,
    search,
    amount: wanted && { currency: wanted.currency, atLeast: wanted.amount, atMost: wanted.amount },
    orderCode: order,
    createdFrom: from && startOfDay(from),
    // The last day is in it.
    createdBefore: to && startOfDay(to, 1),
  }
  return { first: PAGE_SIZE, after, filter }
}
