import { failureWhen, validationError, type FieldFailure } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { OrdersDeps } from '../deps.js'
import type { Order } from '../store/order.entity.js'
import type { OrderFilter } from '../store/order-reads.js'

/** The most orders that one answer holds. */
const MAX_PAGE_SIZE = 100

export interface ListOrdersInput extends OrderFilter {
  /** From 1. */
  page: number
  limit: number
}

export interface OrderPage {
  orders: Order[]
  pagination: { total: number; page: number; limit: number; totalPages: number }
}

/** Every failure of a page request, as far as its fields are there. */
export function checkListOrders({ page, limit }: Partial<ListOrdersInput>): FieldFailure[] {
  const isOutside = typeof limit === 'number' && (limit < 1 || limit > MAX_PAGE_SIZE)
  return [
    ...failureWhen(typeof page === 'number' && page < 1, 'page', 'must be at least 1'),
    ...failureWhen(isOutside, 'limit', `must be from 1 to ${MAX_PAGE_SIZE}`),
  ]
}

/** A page of the tenant's orders, newest first; empty behind the last. Throws `validation_error`. */
export async function listOrders(
  deps: Pick<OrdersDeps, 'orders'>,
  tenant: Tenant,
  input: ListOrdersInput,
): Promise<OrderPage> {
  const failures = checkListOrders(input)
  if (failures.length > 0) throw validationError(failures)
  const { page, limit } = input
  const all = await deps.orders.list(tenant.id, input)
  return {
    orders: all.slice((page - 1) * limit, page * limit),
    pagination: { total: all.length, page, limit, totalPages: Math.ceil(all.length / limit) },
  }
}
