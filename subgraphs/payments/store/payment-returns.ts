import type { QueryResultRow } from 'pg'
import { run, type Database } from '../../../kernel/database.js'
import type { StoredRefundStatus } from '../model/charge.js'
import { returnReasonIn, type PaymentReturn, type PaymentReturnStatus } from '../model/payment-return.js'
import { idOfPlace, type ReturnPlace } from '../model/return-place.js'

/** Money that was taken goes back as a refund, and what is taken back by force is a dispute: no row is of two lists. */
const RETURN = `select returned.rail, returned.receipt_id as "receiptId", returned.id as "returnId", returned.tenant_id as "tenantId",
    receipt.payment_id as "paymentId", returned.amount, receipt.currency, returned.status, receipt.reason,
    case when returned.origin = 'provider' or returned.sent_at is not null then returned.id end as reference,
    returned.created_at as "createdAt", returned.ended_at as "endedAt"
  from payments.receipt_return as returned join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id
    and receipt.rail = returned.rail and receipt.id = returned.receipt_id
  where returned.refund_id is null and not returned.forced and receipt.outcome = 'returned'`

export const LIST_RETURNS = {
  name: 'payment_return_list',
  text: `${RETURN} and returned.tenant_id = $1 and ($2::text is null
      or (returned.created_at, returned.rail, returned.receipt_id, returned.id) < (select created_at, rail, receipt_id, id
        from payments.receipt_return where tenant_id = $1 and rail = $2 and receipt_id = $3 and id = $4))
    order by returned.created_at desc, returned.rail desc, returned.receipt_id desc, returned.id desc limit $5`,
}

/** By the index of receipts that were not taken: these are few. */
const OF_PAYMENTS = {
  name: 'payment_return_of_payments',
  text: `${RETURN} and receipt.tenant_id = $1 and receipt.payment_id = any($2)
    order by returned.created_at, returned.receipt_id, returned.id`,
}

interface ReturnRow extends QueryResultRow, Omit<PaymentReturn, 'id' | 'status' | 'reason' | 'updatedAt'>, ReturnPlace {
  status: StoredRefundStatus
  reason: string | null
  endedAt: Date | null
}

/** A return, and where it stands among all of them. */
export type PlacedReturn = PaymentReturn & ReturnPlace

const STATUSES: Readonly<Record<StoredRefundStatus, PaymentReturnStatus>> = {
  requested: 'pending',
  processing: 'pending',
  done: 'succeeded',
  refused: 'failed',
}

/** What came for payments, was not taken and goes back, as their tenants see it. */
export function paymentReturnsStore({ pool }: Database) {
  return {
    /** The newest first. @param page `after`: the place that the list begins behind; nothing where it is none of the tenant's */
    list: async (
      tenantId: string,
      { limit, after }: { limit: number; after?: ReturnPlace | undefined },
    ): Promise<PlacedReturn[]> => {
      const place = [after?.rail ?? null, after?.receiptId ?? null, after?.returnId ?? null]
      return (await run<ReturnRow>(pool, LIST_RETURNS, [tenantId, ...place, limit])).map(fromRow)
    },
    /** Those of each payment, oldest first, in the order of `paymentIds`. */
    ofPayments: async (tenantId: string, paymentIds: readonly string[]): Promise<PlacedReturn[][]> => {
      const rows = await run<ReturnRow>(pool, OF_PAYMENTS, [tenantId, paymentIds])
      const found = Map.groupBy(rows.map(fromRow), ({ paymentId }) => paymentId)
      return paymentIds.map((id) => found.get(id) ?? [])
    },
  }
}

function fromRow({ status, reason, createdAt, endedAt, ...row }: ReturnRow): PlacedReturn {
  return {
    ...row,
    id: idOfPlace(row),
    status: STATUSES[status],
    reason: returnReasonIn(reason),
    createdAt: new Date(createdAt),
    updatedAt: new Date(endedAt ?? createdAt),
  }
}
