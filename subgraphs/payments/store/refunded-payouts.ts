import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { WITHHELD } from '../model/ledger-entries.js'
import { CLOCKS, refundedOf, reserveOf } from './foreign-holds.js'

/** A payout that a refund has taken whole. */
export interface RefundedPayout {
  tenantId: string
  paymentId: string
  splitIndex: number
}

/** A transfer of the treasury that no payout of the books explains. */
export interface UnexplainedTransfer {
  /** What its difference is about. */
  subject: string
  receiver: string
  currency: string
  /** A decimal string. */
  amount: string
  minedAt: Date
}

/** How a difference names the payout that explains it. */
export const nameOf = ({ tenantId, paymentId, splitIndex }: RefundedPayout): string =>
  `${tenantId}:${paymentId}:${splitIndex}`

/** What refunds took off the payout before a block was made, which what was paid in that block cannot have been. */
const WITHHELD_BEFORE = `select from payments.ledger_line as line
    where line.tenant_id = payout.tenant_id and line.payment_id = payout.payment_id and line.created_at <= ?::timestamptz
      and line.entry like '${WITHHELD}%:' || payout.leg and line.entry <> ${reserveOf('payout')}`

/**
 * It was owed when the block was made: its payment was there, and nothing was refunded of it yet. Of several the one that the transfer is
 * explained by already, then the oldest.
 */
export const REFUNDED_PAYOUT = `select payout.tenant_id as "tenantId", payout.payment_id as "paymentId", payout.leg as "splitIndex"
  from payments.payout as payout
    join payments.payment as payment on payment.tenant_id = payout.tenant_id and payment.id = payout.payment_id
    left join payments.difference as known
      on known.refunded_payout = payout.tenant_id || ':' || payout.payment_id || ':' || payout.leg
  where payout.chain_name = ? and lower(payout.receiver) = lower(?) and payout.symbol = ? and payout.state = 'cancelled'
    and payout.amount::numeric = 0 and ${refundedOf('payout')} = ?::numeric
    and payment.created_at <= ?::timestamptz + ${CLOCKS} and not exists (${WITHHELD_BEFORE})
    and (known.subject is null or known.subject = ?)
  order by known.subject, payment.created_at, payout.payment_id, payout.leg limit 1`

/** Payouts that refunds have taken whole, by what was paid all the same. */
export function refundedPayouts(db: Database) {
  return {
    /** A payout of exactly this that was owed when it was paid, and explains no other transfer; undefined where there is none. */
    refundedPayout: (
      chainName: string,
      { subject, receiver, currency, amount, minedAt }: UnexplainedTransfer,
    ): Promise<RefundedPayout | undefined> =>
      inTransaction(db, async (em) => {
        const [at, of] = [minedAt.toISOString(), [chainName, receiver, currency, amount]]
        const [found] = await executeIn<RefundedPayout>(em, REFUNDED_PAYOUT, [...of, at, at, subject])
        return found
      }),
  }
}
