import type { EntityManager } from '@mikro-orm/postgresql'
import type { QueryResultRow } from 'pg'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import { isRefundOver } from '../model/refund-rules.js'
import { REFUND_REASONS, type PaymentRefund, type RefundStatus } from '../model/refund.js'
import type { StoredRefundStatus } from '../model/charge.js'
import { refundOrders } from './refund-orders.js'

/** The row of an order has another id than its refund's only where that one took the order's (`standInFor`). */
const IS_REPLACED = `returned.origin = 'tenant' and returned.status = 'refused' and returned.refund_id <> returned.id`

/** What stands for an order of its tenant has the order's id, be it that of a row of ours or its own (`standInFor`). */
const IS_MADE_AT_PROVIDER = `returned.origin = 'provider' and returned.refund_id <> returned.id and not exists (
    select from payments.receipt_return as ordered where ordered.tenant_id = returned.tenant_id and ordered.rail = returned.rail
      and ordered.receipt_id = returned.receipt_id and ordered.id = returned.refund_id and ordered.origin = 'tenant')`

const REFUND = `returned.refund_id as id, returned.tenant_id as "tenantId", receipt.payment_id as "paymentId",
  returned.amount, receipt.currency, returned.status, returned.reason, returned.created_at as "createdAt",
  returned.ended_at as "endedAt", ${IS_REPLACED} as "isReplaced",
  ${IS_MADE_AT_PROVIDER} as "isMadeAtProvider"`

const FROM = `from payments.receipt_return as returned join payments.receipt as receipt
  on receipt.tenant_id = returned.tenant_id and receipt.rail = returned.rail and receipt.id = returned.receipt_id`

const FIND = {
  name: 'refund_find',
  text: `select ${REFUND} ${FROM} where returned.tenant_id = $1 and returned.refund_id = $2`,
}

const FIND_MANY = {
  name: 'refund_find_many',
  text: `select ${REFUND} ${FROM} where returned.tenant_id = $1 and returned.refund_id = any($2)`,
}

const OF_PAYMENTS = {
  name: 'refund_of_payments',
  text: `select ${REFUND} ${FROM} where receipt.tenant_id = $1 and receipt.payment_id = any($2)
      and receipt.outcome = 'accepted' and returned.refund_id is not null
    order by returned.created_at, returned.refund_id`,
}

const LIST = {
  name: 'refund_list',
  text: `select ${REFUND} ${FROM} where returned.tenant_id = $1 and returned.refund_id is not null and receipt.outcome = 'accepted'
      and ($2::text is null or (returned.created_at, returned.refund_id) < (select created_at, refund_id
        from payments.receipt_return where tenant_id = $1 and refund_id = $2))
    order by returned.created_at desc, returned.refund_id desc limit $3`,
}

const RESERVE = `select trim_scale(percent)::text as percent from payments.refund_reserve where tenant_id = ?`

const SET_RESERVE = `insert into payments.refund_reserve (tenant_id, percent) values (?, ?::numeric)
  on conflict (tenant_id) do update set percent = excluded.percent`

interface RefundRow
  extends QueryResultRow, Omit<PaymentRefund, 'status' | 'reason' | 'updatedAt' | 'isReplaced' | 'isMadeAtProvider'> {
  status: StoredRefundStatus
  isReplaced: boolean
  isMadeAtProvider: boolean
  reason: string
  endedAt: Date | null
}

/** The refunds of payments as their tenants see them. */
export type RefundsStore = ReturnType<typeof refundsStore>

export function refundsStore(db: Database) {
  const { pool } = db
  return {
    ...refundOrders,
    /** The share of its payments that a tenant sets aside for refunds, a decimal string; undefined where it sets none aside. */
    reservePercent: async (em: EntityManager, tenantId: string): Promise<string | undefined> =>
      (await executeIn<{ percent: string }>(em, RESERVE, [tenantId]))[0]?.percent,
    /** @param percent above 0 and up to 50, with two decimals at most; '0' for none */
    setReserve: (tenantId: string, percent: string): Promise<void> =>
      inTransaction(db, async (em) => {
        if (Number(percent) > 0) await executeIn(em, SET_RESERVE, [tenantId, percent])
        else await executeIn(em, 'delete from payments.refund_reserve where tenant_id = ?', [tenantId])
      }),
    find: async (tenantId: string, id: string): Promise<PaymentRefund | undefined> => {
      const [row] = await run<RefundRow>(pool, FIND, [tenantId, id])
      return row && fromRow(row)
    },
    /** The refunds in the order of `ids`, undefined where the tenant has none. */
    findMany: async (tenantId: string, ids: readonly string[]): Promise<(PaymentRefund | undefined)[]> => {
      const rows = await run<RefundRow>(pool, FIND_MANY, [tenantId, ids])
      const byId = new Map(rows.map((row) => [row.id, fromRow(row)]))
      return ids.map((id) => byId.get(id))
    },
    /** The newest first. @param page `afterId`: the refund that the list begins behind; nothing where it is none of the tenant's */
    list: async (
      tenantId: string,
      { limit, afterId }: { limit: number; afterId?: string | undefined },
    ): Promise<PaymentRefund[]> => (await run<RefundRow>(pool, LIST, [tenantId, afterId ?? null, limit])).map(fromRow),
    /** Those of each payment, oldest first, in the order of `paymentIds`. */
    ofPayments: async (tenantId: string, paymentIds: readonly string[]): Promise<PaymentRefund[][]> => {
      const rows = await run<RefundRow>(pool, OF_PAYMENTS, [tenantId, paymentIds])
      const found = Map.groupBy(rows.map(fromRow), ({ paymentId }) => paymentId)
      return paymentIds.map((id) => found.get(id) ?? [])
    },
  }
}

function fromRow({
  status,
  reason,
  createdAt,
  endedAt,
  isReplaced,
  isMadeAtProvider,
  ...row
}: RefundRow): PaymentRefund {
  const created = new Date(createdAt)
  return {
    ...row,
    status: statusOf(status),
    reason: REFUND_REASONS.find((known) => known === reason) ?? null,
    createdAt: created,
    updatedAt: endedAt ? new Date(endedAt) : created,
    ...(isReplaced && { isReplaced }),
    ...(isMadeAtProvider && { isMadeAtProvider }),
  }
}

function statusOf(status: StoredRefundStatus): RefundStatus {
  if (!isRefundOver({ status })) return 'pending'
  return status === 'done' ? 'succeeded' : 'failed'
}
