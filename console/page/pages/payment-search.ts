import type { PaymentsVariables, PaymentStatus, TransactionType } from '../generated/operations.js'
import { dayIn, oneOf, startOfDay, textIn } from './search-text.js'

export const STATUSES = ['REGISTERED', 'PENDING', 'SUCCESS', 'ERROR', 'REPROVED'] as const satisfies PaymentStatus[]
export const METHODS = [
  'PIXCRYPTO',
  'CARDCRYPTO',
  'CARDFIAT',
  'CRYPTO',
  'FIATCRYPTO',
] as const satisfies TransactionType[]

/** What the list of payments is filtered by, as it is in the address. */
export interface PaymentSearch {
  status?: PaymentStatus | undefined
  method?: TransactionType | undefined
  search?: string | undefined
  /** The first and the last day. */
  from?: string | undefined
  to?: string | undefined
  order?: string | undefined
  /** The cursor that the page begins behind. */
  after?: string | undefined
}

/** What is no filter is left out: an address of anybody's making shows a list. */
export function paymentSearch(search: Record<string, unknown>): PaymentSearch {
  return {
    status: oneOf(search['status'], STATUSES),
    method: oneOf(search['method'], METHODS),
    search: textIn(search, 'search'),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    order: textIn(search, 'order'),
    after: textIn(search, 'after'),
  }
}

export function isFiltered({ after: _after, ...filters }: PaymentSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

const PAGE_SIZE = 25

export function paymentVariables({ status, method, search, from, to, order, after }: PaymentSearch): PaymentsVariables {
  const filter = {
    ...(status && { status }),
    ...(method && { transactionType: method }),
    ...(search !== undefined && { search }),
    ...(order !== undefined && { orderCode: order }),
    ...(from !== undefined && { createdFrom: startOfDay(from) }),
    // The last day is in it.
    ...(to !== undefined && { createdBefore: startOfDay(to, 1) }),
  }
  return { first: PAGE_SIZE, after, filter }
}
