import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { OrdersDeps } from '../deps.js'
import type { Order } from '../store/order.entity.js'
import type { OrderFilter } from '../store/order-reads.js'
import { MAX_PAGE_SIZE } from './list-orders.js'

export interface ConnectOrdersInput {
  first: number
  after?: string | null
  filter?: OrderFilter | null
}

/** A page of a list in the form of the Relay cursor connections specification. */
export interface OrderConnection {
  edges: { cursor: string; node: Order }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
  totalCount: number
}

/**
 * The tenant's orders as a Relay connection, newest first. A cursor names an order's number, so it stays good when
 * orders are created in between or the one it names no longer passes the filter.
 * @throws validation_error on `first` or `after`
 */
export async function connectOrders(
  deps: OrdersDeps,
  tenant: Tenant,
  { first, after, filter }: ConnectOrdersInput,
): Promise<OrderConnection> {
  const before = typeof after === 'string' ? numberOf(after) : Infinity
  const failures: FieldFailure[] = []
  if (first < 1 || first > MAX_PAGE_SIZE) {
    failures.push({ field: 'first', message: `must be from 1 to ${MAX_PAGE_SIZE}` })
  }
  if (before === undefined) failures.push({ field: 'after', message: 'must be a cursor of this list' })
  if (before === undefined || failures.length > 0) throw validationError(failures)
  const all = await deps.orders.list(tenant.id, filter ?? {})
  const rest = all.filter(({ number }) => number < before)
  const edges = rest.slice(0, first).map((node) => ({ cursor: cursorOf(node), node }))
  return {
    edges,
    pageInfo: {
      hasNextPage: rest.length > edges.length,
      hasPreviousPage: rest.length < all.length,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: all.length,
  }
}

function cursorOf({ number }: Order): string {
  return Buffer.from(`order:${number}`).toString('base64url')
}

function numberOf(cursor: string): number | undefined {
  const digits = /^order:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
