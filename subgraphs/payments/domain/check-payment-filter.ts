import type { FieldFailure } from '../../../kernel/errors.js'
import { compare } from '../../../kernel/money.js'
import type { PaymentSort } from '../model/payment-sort.js'
import type { PaymentFilter } from '../store/payment-filter.js'

/** Shorter, and a search would find too much to be of use; longer texts are not kept to be searched. */
const SEARCH_MIN = 3
const TEXT_MAX = 200

/** What is wrong with the `search` of a list. @param prefix stands before the name of the field */
export function checkSearch({ search }: Pick<PaymentFilter, 'search'>, prefix = ''): FieldFailure[] {
  if (typeof search !== 'string') return []
  const { length } = search.trim()
  if (length >= SEARCH_MIN && length <= TEXT_MAX) return []
  return [{ field: `${prefix}search`, message: `must have ${SEARCH_MIN} to ${TEXT_MAX} characters` }]
}

/** What is wrong with the types of a list. @param prefix as of `checkSearch` */
export function checkTypes({ transactionTypes }: Pick<PaymentFilter, 'transactionTypes'>, prefix = ''): FieldFailure[] {
  if (transactionTypes?.length !== 0) return []
  return [{ field: `${prefix}transactionTypes`, message: 'must name a type; left out, it is any' }]
}

/** What is wrong with the filter of a list, and with it for its order. */
export function checkPaymentFilter(filter: PaymentFilter, { by }: PaymentSort): FieldFailure[] {
  const { statuses, amount, metadata, search } = filter
  const failures = [...checkSearch(filter, 'filter.'), ...checkTypes(filter, 'filter.')]
  const fail = (field: string, message: string): void => {
    failures.push({ field, message })
  }
  if (statuses?.length === 0) fail('filter.statuses', 'must name a status; left out, it is any')
  if (amount && !/^[a-z]{3}$/i.test(amount.currency))
    fail('filter.amount.currency', 'must be a currency of three letters')
  if (amount?.atLeast != null && amount.atMost != null && compare(amount.atLeast, amount.atMost) > 0)
    fail('filter.amount.atMost', 'must not be below atLeast')
  for (const name of ['key', 'value'] as const) {
    const length = metadata?.[name].length ?? 1
    if (length < 1 || length > TEXT_MAX) fail(`filter.metadata.${name}`, `must have 1 to ${TEXT_MAX} characters`)
  }
  if (by !== 'amount') return failures
  if (!amount) fail('sort.by', 'AMOUNT needs filter.amount: amounts of several currencies have no order')
  if (search != null || metadata) fail('sort.by', 'AMOUNT does not go together with search or metadata')
  return failures
}

/** The filter as the store takes it: without spaces around a search, with each status and type once. */
export function normalFilter(filter: PaymentFilter): PaymentFilter {
  const { search, statuses, transactionTypes, amount } = filter
  return {
    ...filter,
    search: search?.trim() ?? null,
    statuses: statuses ? [...new Set(statuses)] : null,
    transactionTypes: transactionTypes ? [...new Set(transactionTypes)] : null,
    amount: amount ? { ...amount, currency: amount.currency.toUpperCase() } : null,
  }
}
