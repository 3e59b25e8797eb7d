import type { EntityManager } from '@mikro-orm/postgresql'
import { columnsOf, timesOf, withTimes } from '../../../kernel/columns.js'
import { run, runIn, type Database, type NamedStatement } from '../../../kernel/database.js'
import {
  ChargeEntity,
  ReceivedPaymentEntity,
  RefundEntity,
  type Charge,
  type StoredReceivedPayment,
  type StoredRefund,
} from './charge.entity.js'

/** A charge with the money that came for it and went back. Changes of these objects are saved with their transaction. */
export interface ChargeRecord {
  charge: Charge
  receivedPayments: StoredReceivedPayment[]
  refunds: StoredRefund[]
  /** What went back of money that came for other charges of the payment and was not taken; to be read only. */
  otherRefunds: readonly StoredRefund[]
}

/** A row of the statements below: JSON, with times as ISO 8601 texts. */
export interface RecordRow {
  charge: object
  receivedPayments: object[]
  refunds: object[]
  otherRefunds: object[]
  [column: string]: unknown
}

const [CHARGE, RECEIVED, REFUND] = [ChargeEntity, ReceivedPaymentEntity, RefundEntity].map((entity) =>
  columnsOf(Object.keys(entity.meta.properties)),
)

/** Each record as JSON by one statement: the unit of work takes three, and longer for each of them than the database does (ADR 6). */
const RECORD = `select (select row_to_json(named) from (select ${CHARGE}) as named) as charge,
    (select coalesce(json_agg(named order by "receivedAt"), '[]') from (select ${RECEIVED} from payments.receipt
      where receipt.tenant_id = charge.tenant_id and charge_id = charge.id) as named) as "receivedPayments",
    (select coalesce(json_agg(named order by "createdAt", id), '[]') from (select ${REFUND} from payments.receipt_return as back
      where back.tenant_id = charge.tenant_id and back.rail = charge.rail and receipt_id in (select receipt.id
        from payments.receipt where receipt.tenant_id = charge.tenant_id and charge_id = charge.id)) as named) as refunds,
    (select coalesce(json_agg(named order by "createdAt", id), '[]') from (select ${REFUND} from payments.receipt_return as back
      where back.tenant_id = charge.tenant_id and (back.rail, receipt_id) in (select receipt.rail, receipt.id
        from payments.receipt where receipt.tenant_id = charge.tenant_id and receipt.payment_id = charge.payment_id
          and outcome = 'returned' and charge_id <> charge.id)) as named) as "otherRefunds"
  from payments.charge as charge`

/** $1: tenants, $2: ids. */
const RECORDS: NamedStatement = {
  name: 'charge_records',
  text: `${RECORD} where tenant_id = any($1) and id = any($2)`,
}

/** $1: rail, $2: references. */
const RECORDS_BY_REFERENCE: NamedStatement = {
  name: 'charge_records_by_reference',
  text: `${RECORD} where rail = $1 and reference = any($2)`,
}

/** Of the charge for which money came. $1: rail, $2: the provider's id of the movement. */
const RECORD_BY_RECEIPT: NamedStatement = {
  name: 'charge_record_by_receipt',
  text: `${RECORD} where (tenant_id, id) = (select tenant_id, charge_id from payments.receipt where rail = $1 and id = $2)`,
}

/** Of the charge whose money was taken for a payment. $1: tenant, $2: payment. */
export const ACCEPTED_RECORD = `${RECORD} where (tenant_id, id) = (select tenant_id, charge_id from payments.receipt
    where tenant_id = $1 and payment_id = $2 and outcome = 'accepted')`

/** The record of a row, to be read only. */
export function readRecord({ charge, receivedPayments, refunds, otherRefunds }: RecordRow): ChargeRecord {
  return {
    charge: withTimes(charge, CHARGE_TIMES) as Charge,
    receivedPayments: receivedPayments.map((one) => withTimes(one, RECEIVED_TIMES) as StoredReceivedPayment),
    refunds: refunds.map(readRefund),
    otherRefunds: otherRefunds.map(readRefund),
  }
}

function readRefund(one: object): StoredRefund {
  return withTimes(one, REFUND_TIMES) as StoredRefund
}

const [CHARGE_TIMES, RECEIVED_TIMES, REFUND_TIMES] = [
  timesOf(ChargeEntity),
  timesOf(ReceivedPaymentEntity),
  timesOf(RefundEntity),
]

/** The record of a row, whose changes are saved with the transaction. What it has already stays as it was changed. */
function mergeRecord(em: EntityManager, row: RecordRow): ChargeRecord {
  const { charge, receivedPayments, refunds, otherRefunds } = readRecord(row)
  return {
    charge: em.merge(ChargeEntity, charge),
    receivedPayments: receivedPayments.map((one) => em.merge(ReceivedPaymentEntity, one)),
    refunds: refunds.map((one) => em.merge(RefundEntity, one)),
    otherRefunds,
  }
}

type Reference = { tenantId: string; id: string }

/** Reads charges with their money. */
export function chargeRecords(db: Database) {
  const loadMany = async (em: EntityManager, references: readonly Reference[]): Promise<Map<string, ChargeRecord>> => {
    const values = [references.map(({ tenantId }) => tenantId), references.map(({ id }) => id)]
    // The statement has to see what the transaction has changed, as those of the unit of work do.
    await em.flush()
    const rows = await runIn<RecordRow>(em, RECORDS, values)
    return new Map(rows.map((row) => mergeRecord(em, row)).map((record) => [record.charge.id, record]))
  }
  return {
    /** The charges of many payments, by their ids. */
    loadMany,
    load: async (em: EntityManager, charge: Reference): Promise<ChargeRecord> => {
      const record = (await loadMany(em, [charge])).get(charge.id)
      if (!record) throw new Error(`there is no charge ${charge.id}`)
      return record
    },
    /** As `load`, to be read only. */
    read: async ({ tenantId, id }: Reference): Promise<ChargeRecord> => {
      const [row] = await run<RecordRow>(db.pool, RECORDS, [[tenantId], [id]])
      if (!row) throw new Error(`there is no charge ${id}`)
      return readRecord(row)
    },
    /** Of the charge for which some money came, with all that came for it; to be read only. */
    readByReceivedPayment: async (rail: string, receiptId: string): Promise<ChargeRecord | undefined> => {
      const [row] = await run<RecordRow>(db.pool, RECORD_BY_RECEIPT, [rail, receiptId])
      return row && readRecord(row)
    },
    /** The charges of some references with their money, by reference; to be read only. */
    readByReferences: async (rail: string, references: readonly string[]): Promise<Map<string, ChargeRecord>> => {
      const rows = await run<RecordRow>(db.pool, RECORDS_BY_REFERENCE, [rail, references])
      return new Map(rows.map(readRecord).map((record) => [record.charge.reference, record]))
    },
  }
}
