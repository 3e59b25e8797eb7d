import type { Transaction } from '../../../kernel/database.js'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'

/** A receipt that a payer wants by e-mail. */
export interface WantedReceipt {
  tenantId: string
  paymentId: string
  email: string
  language: string
}

/** One that was wanted; the address is forgotten once it was sent. */
interface StoredReceipt extends Record<string, unknown> {
  email: string | null
  language: string
  /** When it was first asked for, in milliseconds. */
  requestedMs: number
  sentAt: Date | null
}

/** Until it was sent the payer may mend the address. */
const WANT = `insert into payments.receipt_email (tenant_id, payment_id, email, language, requested_at)
  values (?, ?, ?, ?, ?::timestamptz)
  on conflict (tenant_id, payment_id) do update set email = excluded.email, language = excluded.language
    where receipt_email.sent_at is null
  returning 1 as one`

const FIND = {
  name: 'receipt_email',
  text: `select email, language, sent_at as "sentAt", round(extract(epoch from requested_at) * 1000)::float8 as "requestedMs"
    from payments.receipt_email where tenant_id = $1 and payment_id = $2`,
}

const SENT = `update payments.receipt_email set sent_at = ?::timestamptz, email = null where tenant_id = ? and payment_id = ?`
const FORGET = 'delete from payments.receipt_email where tenant_id = ? and payment_id = ? and sent_at is null'

/** The receipts that payers want by e-mail; one for each payment. */
export function receiptEmailsStore(db: Database) {
  return {
    /** In the transaction of `em`. @returns whether it is still to be sent; otherwise it was */
    want: async (
      em: Transaction,
      { tenantId, paymentId, email, language }: WantedReceipt,
      at: Date,
    ): Promise<boolean> =>
      (await executeIn(em, WANT, [tenantId, paymentId, email, language, at.toISOString()])).length > 0,
    find: async (tenantId: string, paymentId: string): Promise<StoredReceipt | undefined> =>
      (await run<StoredReceipt>(db.pool, FIND, [tenantId, paymentId]))[0],
    /** Notes that it was sent, and forgets to whom. */
    markSent: (tenantId: string, paymentId: string, at: Date): Promise<void> =>
      inTransaction(db, async (em) => {
        await executeIn(em, SENT, [at.toISOString(), tenantId, paymentId])
      }),
    /** Forgets one that there is nothing to send of. */
    forget: (tenantId: string, paymentId: string): Promise<void> =>
      inTransaction(db, async (em) => {
        await executeIn(em, FORGET, [tenantId, paymentId])
      }),
  }
}
