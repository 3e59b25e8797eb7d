import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentFilter } from '../store/list-statement.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'

/** What listing payments needs. */
export type ListPaymentsDeps = Pick<Stores, 'payments'>

export interface ListPaymentsInput extends PageRequest {
  filter?: PaymentFilter | null
}

/** A page that is asked for with its filter side by side. */
export interface PaymentPageInput extends PaymentFilter {
  /** From 1 to 100; 20 where left out. */
  limit?: number | null
  after?: string | null
}

/** A page of payments, and what `after` is for the one behind it; null where there is none. */
export interface PaymentPage {
  payments: Payment[]
  next: string | null
}

/** Shorter, and a search would find too much to be of use; longer texts are not kept to be searched. */
const SEARCH_MIN = 3
const SEARCH_MAX = 200
const LIMIT_MAX = 100

/** What is wrong with the filter of a list. @param prefix stands before the names of its fields */
function checkFilter({ search }: PaymentFilter, prefix = ''): FieldFailure[] {
  if (typeof search !== 'string') return []
  const { length } = search.trim()
  if (length >= SEARCH_MIN && length <= SEARCH_MAX) return []
  return [{ field: `${prefix}search`, message: `must have ${SEARCH_MIN} to ${SEARCH_MAX} characters` }]
}

/** Every failure of a page request, as far as its fields are there. */
export function checkPaymentPage(input: Partial<PaymentPageInput>): FieldFailure[] {
  const { limit } = input
  const failures = checkFilter(input)
  if (typeof limit === 'number' && (limit < 1 || limit > LIMIT_MAX)) {
    failures.push({ field: 'limit', message: `must be from 1 to ${LIMIT_MAX}` })
  }
  return failures
}

/**
 * The tenant's payments, newest first. A cursor is a place in the time order of ids, so it stays good while payments are
 * registered, and no page costs more than the first.
 * @throws validation_error on `first`, `after` or `filter`
 */
export async function listPayments(
  deps: ListPaymentsDeps,
  tenant: Tenant,
  { filter, ...request }: ListPaymentsInput,
): Promise<Connection<Payment>> {
  const failures = checkFilter(filter ?? {}, 'filter.')
  if (failures.length > 0) throw validationError(failures)
  const { size, after: afterId } = readPage(request, (text) => (isId(text) ? text : undefined))
  const trimmed = { ...filter, search: filter?.search?.trim() ?? null }
  // One more than asked for tells whether another page follows.
  const found = await deps.payments.list(tenant.id, trimmed, { limit: size + 1, afterId })
  return connectionOf(found, { size, hasPreviousPage: afterId !== undefined }, ({ id }) => id)
}

/** The same list, a page of it. Throws validation_error on `limit`, `after` or `search`. */
export async function listPaymentPage(
  deps: ListPaymentsDeps,
  tenant: Tenant,
  { limit, after, ...filter }: PaymentPageInput,
): Promise<PaymentPage> {
  const failures = checkPaymentPage({ limit: limit ?? null, ...filter })
  if (failures.length > 0) throw validationError(failures)
  const { edges, pageInfo } = await listPayments(deps, tenant, { first: limit, after, filter })
  return { payments: edges.map(({ node }) => node), next: pageInfo.hasNextPage ? pageInfo.endCursor : null }
}
