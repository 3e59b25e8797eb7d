import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentsDeps } from '../deps.js'
import type { Payment } from '../store/payment.entity.js'
import type { PaymentFilter } from '../store/payments.js'

const PAGE_MAX = 100

export interface ListPaymentsInput {
  first: number
  after?: string | null
  filter: PaymentFilter
}

/** A page of payments in the form of the Relay cursor connections specification. */
export interface PaymentConnection {
  edges: { cursor: string; node: Payment }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
}

/**
 * The tenant's payments, newest first. A cursor is a place in the time order of ids, so it stays good while payments are
 * registered, and no page costs more than the first.
 * @throws validation_error on `first` or `after`
 */
export async function listPayments(
  deps: PaymentsDeps,
  tenant: Tenant,
  { first, after, filter }: ListPaymentsInput,
): Promise<PaymentConnection> {
  const failures: FieldFailure[] = []
  const afterId = after == null ? undefined : Buffer.from(after, 'base64url').toString()
  if (first < 1 || first > PAGE_MAX) failures.push({ field: 'first', message: `must be from 1 to ${PAGE_MAX}` })
  if (afterId !== undefined && !isId(afterId))
    failures.push({ field: 'after', message: 'must be a cursor of this list' })
  if (failures.length > 0) throw validationError(failures)
  // One more than asked for tells whether another page follows.
  const found = await deps.payments.list(tenant.id, filter, { limit: first + 1, afterId })
  const edges = found.slice(0, first).map((node) => ({ cursor: Buffer.from(node.id).toString('base64url'), node }))
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > edges.length,
      hasPreviousPage: afterId !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}
