import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'

/** What a provider says of a part of a received payment that it pays out, or takes back; amounts are decimal strings. */
export interface Payable {
  /** The provider's id. */
  id: string
  /** Of the received payment. */
  receiptId: string
  /** The provider's word, e.g. `credit`, `refund`, `chargeback`. */
  type: string
  /** Below 0, with a sign, where it is taken back. */
  amount: string
  /** What the provider keeps; below 0, with a sign, where it gives back. */
  fee: string
}

/** Of which payment it is, and whether we bear its fee. */
export interface PayableOwner {
  rail: string
  tenantId: string
  paymentId: string
  isOurs: boolean
}

/** What a provider keeps of a received payment; decimal strings. */
export interface KeptFees {
  /** What we bear of it. */
  ours: string
  /** What was kept of the charge itself, of so many parts. */
  charged: string
  parts: number
}

const KNOWN = `select id, fee from payments.provider_payable
  where rail = ? and id in (select json_array_elements_text(?::json))`

const FIND = 'select fee, version from payments.provider_payable where rail = ? and id = ?'

const KEEP = `insert into payments.provider_payable as one
    (rail, id, tenant_id, payment_id, receipt_id, type, amount, fee, is_ours, version, booked_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?::timestamptz)
  on conflict (rail, id) do update set fee = excluded.fee, amount = excluded.amount, type = excluded.type,
    version = one.version + 1, booked_at = excluded.booked_at`

const FEES = `select trim_scale(coalesce(sum(fee::numeric) filter (where is_ours), 0))::text as ours,
    trim_scale(coalesce(sum(fee::numeric) filter (where type = 'credit'), 0))::text as charged,
    count(*) filter (where type = 'credit')::int as parts
  from payments.provider_payable where rail = ? and receipt_id = ?`

/**
 * What went back of received payments by these, and by the books. What won chargebacks give back takes from that. In the books something has
 * come to its end without its provider's list naming it yet, as well as the other way round: the newest is of both.
 */
const GONE_BACK = `select receipt_id as "receiptId", trim_scale(gone)::text as gone, trim_scale(booked)::text as booked,
    greatest(newest_at, ended_at) as "newestAt"
  from (select tenant_id, rail, receipt_id, -sum(amount::numeric) as gone, max(booked_at) as newest_at from payments.provider_payable
      where rail = ? and receipt_id in (select json_array_elements_text(?::json)) and type <> 'credit'
      group by tenant_id, rail, receipt_id) as kept
  cross join lateral (select coalesce(sum(back.amount::numeric) filter (where back.status = 'done'), 0) as booked,
      max(back.ended_at) as ended_at from payments.receipt_return as back
    where back.tenant_id = kept.tenant_id and back.rail = kept.rail and back.receipt_id = kept.receipt_id) as books`

/** How much of a received payment went back, by what its provider says that it took back and by our books; decimal strings. */
export interface GoneBack {
  receiptId: string
  gone: string
  booked: string
  /** When the newest word of the provider was noted, or the newest in the books has come to its end. */
  newestAt: Date
}

/** What providers keep of received payments; each row is changed under its payment's row lock. */
export function payablesStore(db: Database) {
  return {
    /** The fees of those that are known, by their ids. */
    known: async (rail: string, ids: readonly string[]): Promise<Map<string, string>> => {
      const read = (em: EntityManager) => executeIn<{ id: string; fee: string }>(em, KNOWN, [rail, JSON.stringify(ids)])
      return new Map((await inTransaction(db, read)).map(({ id, fee }) => [id, fee]))
    },
    find: async (em: EntityManager, rail: string, id: string): Promise<{ fee: string; version: number } | undefined> =>
      (await executeIn<{ fee: string; version: number }>(em, FIND, [rail, id]))[0],
    /** Keeps one as it is now, with a version more than before. */
    keep: async (em: EntityManager, owner: PayableOwner, { id, receiptId, type, amount, fee }: Payable, at: Date) => {
      const { rail, tenantId, paymentId, isOurs } = owner
      await executeIn(em, KEEP, [rail, id, tenantId, paymentId, receiptId, type, amount, fee, isOurs, at.toISOString()])
    },
    /** What went back of those of these received payments of which the provider says that something did. */
    goneBack: async (rail: string, receiptIds: readonly string[]): Promise<GoneBack[]> => {
      const read = (em: EntityManager) =>
        executeIn<GoneBack & Record<string, unknown>>(em, GONE_BACK, [rail, JSON.stringify(receiptIds)])
      return (await inTransaction(db, read)).map((row) => ({ ...row, newestAt: new Date(row.newestAt) }))
    },
    /** What is kept of a received payment. */
    feesOf: async (em: EntityManager, rail: string, receiptId: string): Promise<KeptFees> =>
      (await executeIn<KeptFees>(em, FEES, [rail, receiptId]))[0] ?? { ours: '0', charged: '0', parts: 0 },
  }
}
