import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import { emptyOldRows } from '../../../kernel/remove-old-rows.js'
import { chargeRecords } from './charge-records.js'
import {
  ChargeEntity,
  ReceivedPaymentEntity,
  RefundEntity,
  type Charge,
  type StoredReceivedPayment,
  type StoredRefund,
} from './charge.entity.js'

const MARK_SENT = {
  name: 'refund_mark_sent',
  text: `update payments.receipt_return set sent_at = $5::timestamptz
    where tenant_id = $1 and rail = $2 and receipt_id = $3 and id = $4 and sent_at is null returning 1 as marked`,
}

const MARK_REFUSED = {
  name: 'refund_mark_refused',
  text: `update payments.receipt_return set refused_at = $5::timestamptz
    where tenant_id = $1 and rail = $2 and receipt_id = $3 and id = $4 and refused_at is null`,
}

const LOCK_RECEIVED = 'select pg_advisory_xact_lock(hashtextextended(?, 0))'
const IS_RECEIVED = 'select 1 from payments.receipt where rail = ? and id = ?'

/** Charges at providers, their received payments and refunds; all of a payment's are changed under the payment's row lock. */
export type ChargesStore = ReturnType<typeof chargesStore>

/** The charges in the schema of payments. Each method throws what the database throws. */
export function chargesStore(db: Database) {
  const records = chargeRecords(db)
  const find = async (where: Partial<Charge>): Promise<Charge | undefined> =>
    (await db.orm.em.fork().findOne(ChargeEntity, where)) ?? undefined
  return {
    find: (tenantId: string, id: string): Promise<Charge | undefined> => find({ tenantId, id }),
    findMany: async (tenantId: string, ids: readonly string[]): Promise<(Charge | undefined)[]> => {
      const found = await db.orm.em.fork().find(ChargeEntity, { tenantId, id: { $in: [...ids] } })
      const byId = new Map(found.map((charge) => [charge.id, charge]))
      return ids.map((id) => byId.get(id))
    },
    /** By what a callback names: the provider knows nothing of tenants. */
    findByReference: (rail: string, reference: string): Promise<Charge | undefined> => find({ rail, reference }),
    findByReceivedPayment: async (rail: string, receiptId: string): Promise<Charge | undefined> =>
      (await records.readByReceivedPayment(rail, receiptId))?.charge,
    /** Keeps others from booking money of a provider, as a charge's or as nobody's, until the transaction ends. */
    lockReceived: async (em: EntityManager, rail: string, receiptId: string): Promise<void> => {
      await executeIn(em, LOCK_RECEIVED, [`received:${rail}:${receiptId}`])
    },
    /** Whether money of a provider is booked as a charge's; asked behind the lock, it sees what was booked while that was waited for. */
    isReceived: async (em: EntityManager, rail: string, receiptId: string): Promise<boolean> =>
      (await executeIn(em, IS_RECEIVED, [rail, receiptId])).length > 0,
    receivedBetween: (rail: string, from: Date, to: Date) => receivedBetween(db, rail, from, to),
    /** The payment's newest charge. */
    newestOf: async (
      em: EntityManager,
      { tenantId, id: paymentId }: { tenantId: string; id: string },
    ): Promise<Charge | undefined> => {
      const [newest] = await em.find(ChargeEntity, { tenantId, paymentId }, { orderBy: { attempt: 'desc' }, limit: 1 })
      return newest
    },
    /** The money that was taken for the payment, for whichever of its charges. */
    acceptedOf: async (
      em: EntityManager,
      { tenantId, id: paymentId }: { tenantId: string; id: string },
    ): Promise<StoredReceivedPayment | undefined> =>
      (await em.findOne(ReceivedPaymentEntity, { tenantId, paymentId, outcome: 'accepted' })) ?? undefined,
    providerFees: (tenantId: string, ids: readonly string[]) => providerFees(db, tenantId, ids),
    ...records,
    /** Notes that the provider is asked for a refund from now on. @returns false where that was noted before: it is asked once more */
    markRefundSent: async ({ tenantId, rail, receiptId, id }: StoredRefund, sentAt: Date): Promise<boolean> =>
      (await run(db.pool, MARK_SENT, [tenantId, rail, receiptId, id, sentAt.toISOString()])).length > 0,
    /** Notes that the provider has refused a refund that it may have taken before. */
    markRefundRefused: async ({ tenantId, rail, receiptId, id }: StoredRefund, at: Date): Promise<void> => {
      await run(db.pool, MARK_REFUSED, [tenantId, rail, receiptId, id, at.toISOString()])
    },
    /** Forgets what the requests of charges that were made before asked for. */
    forgetFingerprints: async (before: Date): Promise<void> => {
      const where = 'created_at < $1::timestamptz and request_fingerprint is not null'
      const old = { table: 'payments.charge', column: 'request_fingerprint', where }
      await emptyOldRows(db.pool, old, [before.toISOString()])
    },
    add: (em: EntityManager, charge: Charge): Charge => em.create(ChargeEntity, charge),
    addReceivedPayment: (em: EntityManager, receipt: StoredReceivedPayment): StoredReceivedPayment =>
      em.create(ReceivedPaymentEntity, receipt),
    addRefund: (em: EntityManager, returned: StoredRefund): StoredRefund => em.create(RefundEntity, returned),
  }
}

/** What the provider took for the money that each charge was paid with, by its own figures; in the order of `ids`. */
async function providerFees(db: Database, tenantId: string, ids: readonly string[]): Promise<(string | null)[]> {
  const where = { tenantId, chargeId: { $in: [...ids] }, outcome: 'accepted' } as const
  const paid = await db.orm.em.fork().find(ReceivedPaymentEntity, where)
  const byCharge = new Map(paid.map(({ chargeId, providerFee }) => [chargeId, providerFee ?? null]))
  return ids.map((id) => byCharge.get(id) ?? null)
}

/** Money that is booked as received, with the reference of its charge. */
export interface BookedReceipt {
  id: string
  reference: string
  amount: string
  currency: string
  /** As PostgreSQL writes it. */
  receivedAt: string
}

const RECEIVED_BETWEEN = `select receipt.id, charge.reference, receipt.amount, receipt.currency,
    receipt.received_at::text as "receivedAt"
  from payments.receipt as receipt
  join payments.charge as charge on charge.tenant_id = receipt.tenant_id and charge.id = receipt.charge_id
  where receipt.rail = ? and receipt.received_at between ?::timestamptz and ?::timestamptz
    and (receipt.received_at, receipt.id) > (?::timestamptz, ?)
  order by receipt.received_at, receipt.id limit 500`

/** What is booked as received in a time, in its order, some hundreds at a time. */
async function* receivedBetween(db: Database, rail: string, from: Date, to: Date): AsyncGenerator<BookedReceipt> {
  let place = [new Date(0).toISOString(), '']
  for (;;) {
    const values = [rail, from.toISOString(), to.toISOString(), ...place]
    const found = await inTransaction(db, (em) => executeIn<BookedReceipt>(em, RECEIVED_BETWEEN, values))
    yield* found
    const last = found.at(-1)
    if (!last) return
    place = [last.receivedAt, last.id]
  }
}
