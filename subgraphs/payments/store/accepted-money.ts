import type { QueryResultRow } from 'pg'
import { run, type Database } from '../../../kernel/database.js'
import type { StoredRefundStatus } from '../model/charge.js'

/** The money that paid a payment, and what of it goes back. */
export interface AcceptedMoney {
  /** The provider's id of the movement. */
  id: string
  rail: string
  /** A decimal string, in the currency that was charged. */
  amount: string
  refunds: {
    receiptId: string
    id: string
    amount: string
    status: StoredRefundStatus
    forced: boolean
    reason: string
    platformFee: string | null
  }[]
}

interface AcceptedRow extends QueryResultRow, AcceptedMoney {
  paymentId: string
}

/** One receipt of a payment at most is accepted; its refunds are few, and found by their key. */
const OF_PAYMENTS = {
  name: 'accepted_money_of_payments',
  text: `select receipt.payment_id as "paymentId", receipt.id, receipt.rail, receipt.amount,
      (select coalesce(json_agg(json_build_object('receiptId', receipt_id, 'id', back.id, 'amount', back.amount,
          'status', back.status, 'forced', forced, 'reason', back.reason, 'platformFee', platform_fee)), '[]')
        from payments.receipt_return as back
        where back.tenant_id = receipt.tenant_id and back.rail = receipt.rail and receipt_id = receipt.id) as refunds
    from payments.receipt as receipt
    where receipt.tenant_id = $1 and receipt.payment_id = any($2) and receipt.outcome = 'accepted'`,
}

/** What paid the payments, to be read only: whoever orders a refund reads it under the payment's lock. */
export function acceptedMoneyStore({ pool }: Database) {
  return {
    /** In the order of `paymentIds`, undefined where no provider's money has paid one. */
    ofPayments: async (tenantId: string, paymentIds: readonly string[]): Promise<(AcceptedMoney | undefined)[]> => {
      const rows = await run<AcceptedRow>(pool, OF_PAYMENTS, [tenantId, paymentIds])
      const found = new Map(rows.map(({ paymentId, ...money }) => [paymentId, money]))
      return paymentIds.map((id) => found.get(id))
    },
  }
}
