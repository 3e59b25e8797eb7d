import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { NEWEST_FIRST, type PaymentSort } from '../model/payment-sort.js'
import type { ListedPayment, ListedProperty } from '../store/payment.entity.js'
import type { ListPlace, PaymentFilter } from '../store/payment-filter.js'
import type { Stores } from '../store/stores.js'
import { checkPaymentFilter, checkSearch, checkTypes, normalFilter } from './check-payment-filter.js'

/** Names the list in its cursors. */
const LIST = 'payment'

/** What listing payments needs. */
export type ListPaymentsDeps = Pick<Stores, 'payments'>

export interface ListPaymentsInput extends PageRequest {
  filter?: PaymentFilter | null
  sort?: PaymentSort | null
  /** What is wanted of each payment, where that is what lists show; otherwise they are whole. */
  shown?: readonly ListedProperty[] | undefined
}

/** A page of payments, and what counts the whole list when it is asked for. */
export interface PaymentConnection extends Connection<ListedPayment> {
  count: () => Promise<PaymentCount>
}

/** How many payments a list has; where that is more than are counted, how many were. */
export interface PaymentCount {
  value: number
  isExact: boolean
}

/** So many are counted: more would take as long as the list is. */
const COUNTED_MAX = 10_000

/** A page that is asked for with its filter side by side. */
export interface PaymentPageInput extends Omit<PaymentFilter, 'statuses' | 'amount' | 'metadata'> {
  /** From 1 to 100; 20 where left out. */
  limit?: number | null
  after?: string | null
}

/** A page of payments, and what `after` is for the one behind it; null where there is none. */
export interface PaymentPage {
  payments: ListedPayment[]
  next: string | null
}

const LIMIT_MAX = 100

/** Every failure of a page request, as far as its fields are there. */
export function checkPaymentPage(input: Partial<PaymentPageInput>): FieldFailure[] {
  const { limit } = input
  const failures = [...checkSearch(input), ...checkTypes(input)]
  if (typeof limit === 'number' && (limit < 1 || limit > LIMIT_MAX)) {
    failures.push({ field: 'limit', message: `must be from 1 to ${LIMIT_MAX}` })
  }
  return failures
}

/**
 * The tenant's payments, newest first where `sort` says nothing else. A cursor is a place in the order of the list, so it
 * stays good while payments are registered, and no page costs more than the first.
 * @throws validation_error on `first`, `after`, `filter` or `sort`
 */
export async function listPayments(
  deps: ListPaymentsDeps,
  tenant: Tenant,
  { filter, sort, shown, ...request }: ListPaymentsInput,
): Promise<PaymentConnection> {
  const sorted = sort ?? NEWEST_FIRST
  const failures = checkPaymentFilter(filter ?? {}, sorted)
  if (failures.length > 0) throw validationError(failures)
  const { size, after } = readPage(request, placeReader(sorted), LIST)
  const normal = normalFilter(filter ?? {})
  // One more than asked for tells whether another page follows.
  const found = await deps.payments.list(tenant.id, normal, { limit: size + 1, after, sort: sorted, shown })
  let counted: Promise<PaymentCount> | undefined
  return {
    ...connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, placeWriter(sorted)),
    count: () => (counted ??= countPayments(deps, tenant, normal)),
  }
}

async function countPayments(deps: ListPaymentsDeps, tenant: Tenant, filter: PaymentFilter): Promise<PaymentCount> {
  const count = await deps.payments.count(tenant.id, filter, COUNTED_MAX + 1)
  return { value: Math.min(count, COUNTED_MAX), isExact: count <= COUNTED_MAX }
}

/** A cursor's text: the id, and in front of it the amount where the list is sorted by that. */
function placeWriter({ by }: PaymentSort): (payment: ListedPayment) => string {
  return ({ id, amountFrom }) => (by === 'amount' ? `${amountFrom}:${id}` : id)
}

function placeReader({ by }: PaymentSort): (text: string) => ListPlace | undefined {
  if (by === 'created_at') return (text) => (isId(text) ? { id: text } : undefined)
  return (text) => {
    const [, amount, id = ''] = /^(\d{1,30}(?:\.\d{1,30})?):(.*)$/.exec(text) ?? []
    return isId(id) ? { id, amount } : undefined
  }
}

/** The same list, a page of it. Throws validation_error on `limit`, `after` or `search`. */
export async function listPaymentPage(
  deps: ListPaymentsDeps,
  tenant: Tenant,
  { limit, after, ...filter }: PaymentPageInput,
  shown?: readonly ListedProperty[],
): Promise<PaymentPage> {
  const failures = checkPaymentPage({ limit: limit ?? null, ...filter })
  if (failures.length > 0) throw validationError(failures)
  const { edges, pageInfo } = await listPayments(deps, tenant, { first: limit, after, filter, shown })
  return { payments: edges.map(({ node }) => node), next: pageInfo.hasNextPage ? pageInfo.endCursor : null }
}
