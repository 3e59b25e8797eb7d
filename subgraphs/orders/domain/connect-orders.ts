import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { OrdersDeps } from '../deps.js'
import type { Order } from '../store/order.entity.js'
import type { OrderFilter } from '../store/order-reads.js'

export interface ConnectOrdersInput extends PageRequest {
  filter?: OrderFilter | null
  /** Whether only the count is asked for: no order is read then, as each can be long. */
  countsOnly?: boolean
}

/** A page of orders, and how many pass the filter in all. */
export interface OrderConnection extends Connection<Order> {
  totalCount: number
}

/**
 * The tenant's orders as a Relay connection, newest first. A cursor names an order's number, so it stays good when
 * orders are created in between or the one it names no longer passes the filter.
 * @throws validation_error on `first` or `after`
 */
export async function connectOrders(
  deps: Pick<OrdersDeps, 'orders'>,
  tenant: Tenant,
  { filter, countsOnly = false, ...request }: ConnectOrdersInput,
): Promise<OrderConnection> {
  const { size, after = Infinity } = readPage(request, numberFrom)
  if (countsOnly) {
    const totalCount = await deps.orders.count(tenant.id, filter ?? {})
    return { ...connectionOf([], { size, hasPreviousPage: false }, String), totalCount }
  }
  const all = await deps.orders.list(tenant.id, filter ?? {})
  const rest = all.filter(({ number }) => number < after)
  const page = { size, hasPreviousPage: rest.length < all.length }
  return { ...connectionOf(rest, page, ({ number }) => `order:${number}`), totalCount: all.length }
}

function numberFrom(text: string): number | undefined {
  const digits = /^order:(\d{1,9})$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
