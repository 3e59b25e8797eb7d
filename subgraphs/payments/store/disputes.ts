import type { QueryResultRow } from 'pg'
import { run, type Database } from '../../../kernel/database.js'
import type { StoredRefundStatus } from '../model/charge.js'
import type { Dispute, DisputeStatus } from '../model/dispute.js'
import type { ReturnPlace } from '../model/return-place.js'

const LIST = {
  name: 'dispute_list',
  text: `select returned.rail, returned.receipt_id as "receiptId", returned.id as "returnId", returned.tenant_id as "tenantId",
      receipt.payment_id as "paymentId", returned.amount, receipt.currency, returned.status, returned.reason,
      returned.created_at as "createdAt", returned.ended_at as "endedAt"
    from payments.receipt_return as returned join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id
      and receipt.rail = returned.rail and receipt.id = returned.receipt_id
    where returned.tenant_id = $1 and returned.forced and ($2::text is null
      or (returned.created_at, returned.rail, returned.receipt_id, returned.id) < (select created_at, rail, receipt_id, id
        from payments.receipt_return where tenant_id = $1 and rail = $2 and receipt_id = $3 and id = $4))
    order by returned.created_at desc, returned.rail desc, returned.receipt_id desc, returned.id desc limit $5`,
}

interface DisputeRow extends QueryResultRow, Omit<Dispute, 'id' | 'status' | 'updatedAt'>, ReturnPlace {
  status: StoredRefundStatus
  endedAt: Date | null
}

const STATUSES: Readonly<Record<StoredRefundStatus, DisputeStatus>> = {
  requested: 'pending',
  processing: 'pending',
  done: 'taken_back',
  refused: 'won',
}

/** What was taken back of payments without our order, as their tenants see it. */
export function disputesStore({ pool }: Database) {
  return {
    /** The newest first. @param page `after`: the place that the list begins behind; nothing where it is none of the tenant's */
    list: async (
      tenantId: string,
      { limit, after }: { limit: number; after?: ReturnPlace | undefined },
    ): Promise<(Omit<Dispute, 'id'> & ReturnPlace)[]> => {
      const place = [after?.rail ?? null, after?.receiptId ?? null, after?.returnId ?? null]
      const rows = await run<DisputeRow>(pool, LIST, [tenantId, ...place, limit])
      return rows.map(({ status, createdAt, endedAt, ...row }) => ({
        ...row,
        status: STATUSES[status],
        createdAt: new Date(createdAt),
        updatedAt: new Date(endedAt ?? createdAt),
      }))
    },
  }
}
