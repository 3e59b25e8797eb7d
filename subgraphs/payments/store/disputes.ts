import type { QueryResultRow } from 'pg'
import { run, type Database } from '../../../kernel/database.js'
import type { StoredRefundStatus } from '../model/charge.js'
import type { Dispute, DisputeStatus } from '../model/dispute.js'
import { idOfPlace, type ReturnPlace } from '../model/return-place.js'

const DISPUTE = `select returned.rail, returned.receipt_id as "receiptId", returned.id as "returnId", returned.tenant_id as "tenantId",
    receipt.payment_id as "paymentId", returned.amount, receipt.currency, returned.status, returned.reason,
    returned.created_at as "createdAt", returned.ended_at as "endedAt"
  from payments.receipt_return as returned join payments.receipt as receipt on receipt.tenant_id = returned.tenant_id
    and receipt.rail = returned.rail and receipt.id = returned.receipt_id
  where returned.forced`

const LIST = {
  name: 'dispute_list',
  text: `${DISPUTE} and returned.tenant_id = $1 and ($2::text is null
      or (returned.created_at, returned.rail, returned.receipt_id, returned.id) < (select created_at, rail, receipt_id, id
        from payments.receipt_return where tenant_id = $1 and rail = $2 and receipt_id = $3 and id = $4))
    order by returned.created_at desc, returned.rail desc, returned.receipt_id desc, returned.id desc limit $5`,
}

/** Of what was not taken as well: a bank may take that back too. Each outcome has its index. */
export const DISPUTES_OF_PAYMENTS = {
  name: 'dispute_of_payments',
  text: `${DISPUTE} and receipt.tenant_id = $1 and receipt.payment_id = any($2)
      and (receipt.outcome = 'accepted' or receipt.outcome = 'returned')
    order by returned.created_at, returned.receipt_id, returned.id`,
}

interface DisputeRow extends QueryResultRow, Omit<Dispute, 'id' | 'status' | 'updatedAt'>, ReturnPlace {
  status: StoredRefundStatus
  endedAt: Date | null
}

/** A dispute, and where it stands among all of them. */
export type PlacedDispute = Dispute & ReturnPlace

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
    ): Promise<PlacedDispute[]> => {
      const place = [after?.rail ?? null, after?.receiptId ?? null, after?.returnId ?? null]
      return (await run<DisputeRow>(pool, LIST, [tenantId, ...place, limit])).map(fromRow)
    },
    /** Those of each payment, oldest first, in the order of `paymentIds`. */
    ofPayments: async (tenantId: string, paymentIds: readonly string[]): Promise<PlacedDispute[][]> => {
      const rows = await run<DisputeRow>(pool, DISPUTES_OF_PAYMENTS, [tenantId, paymentIds])
      const found = Map.groupBy(rows.map(fromRow), ({ paymentId }) => paymentId)
      return paymentIds.map((id) => found.get(id) ?? [])
    },
  }
}

function fromRow({ status, createdAt, endedAt, ...row }: DisputeRow): PlacedDispute {
  return {
    ...row,
    id: idOfPlace(row),
    status: STATUSES[status],
    createdAt: new Date(createdAt),
    updatedAt: new Date(endedAt ?? createdAt),
  }
}
