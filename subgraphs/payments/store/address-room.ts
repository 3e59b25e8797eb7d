import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import type { PaymentAddress } from '../model/payment-address.js'

type Reference = Pick<PaymentAddress, 'tenantId' | 'paymentId' | 'chainName'>

/** How many addresses of a tenant may be watched, all chains together. */
export interface AddressRoom {
  now: Date
  /** 0: any number. */
  most: number
}

/** So long after its price has run out, and after something came to it, an address is watched whatever else is opened. */
const KEPT_MS = 24 * 3_600_000
/** One part in so many makes room at once: looking for them with each opening would take all of a large tenant's time. */
const PARTS = 100

const LOCK = 'select pg_advisory_xact_lock(hashtextextended(?, 0))'

const OTHERS = `address.tenant_id = ? and address.watch_until > ?::timestamptz
  and not (address.payment_id = ? and address.chain_name = ?)`

const DEPOSIT = `select from payments.deposit as deposit where deposit.tenant_id = address.tenant_id
  and deposit.payment_id = address.payment_id and deposit.chain_name = address.chain_name`

const GIVES_WAY = `address.expires_at <= ?::timestamptz and not exists (${DEPOSIT} and deposit.mined_at > ?::timestamptz)`

const COUNT = `select count(*)::int as count from payments.payment_address as address where ${OTHERS}`

const COUNT_KEPT = `${COUNT} and not (${GIVES_WAY})`

/** Of those that wait for a rest, or for a decision about what came, as few as can be; of each kind the oldest. */
const END = `update payments.payment_address as ended set watch_until = ?::timestamptz from (
    select address.tenant_id, address.payment_id, address.chain_name from payments.payment_address as address
      join payments.payment as payment on payment.tenant_id = address.tenant_id and payment.id = address.payment_id
    where ${OTHERS} and ${GIVES_WAY}
    order by payment.status <> 'success' and exists (${DEPOSIT}), address.watch_until limit ?
    for update of address skip locked) as oldest
  where ended.tenant_id = oldest.tenant_id and ended.payment_id = oldest.payment_id and ended.chain_name = oldest.chain_name
  returning 1 as one`

/** A bound on the addresses that are watched for each tenant, as all tenants' are read one after the other. */
export function addressRoom(db: Database) {
  return {
    /**
     * Makes room for an address in the transaction that opens it: the tenant's oldest are watched no longer. No other is opened for the
     * tenant before the transaction ends.
     * @returns false where the tenant has so many that none of them gives way yet
     */
    makeRoom: async (em: EntityManager, reference: Reference, { now, most }: AddressRoom): Promise<boolean> => {
      if (most === 0) return true
      await executeIn(em, LOCK, [`watched-addresses:${reference.tenantId}`])
      const [row] = await executeIn<{ count: number }>(em, COUNT, othersOf(reference, now))
      const over = (row?.count ?? 0) - most + 1
      if (over <= 0) return true
      const values = [now.toISOString(), ...othersOf(reference, now), ...keptSince(now)]
      const ended = await executeIn(em, END, [...values, over + Math.floor(most / PARTS)])
      return ended.length >= over
    },
    /** Whether `makeRoom` would find room now. */
    hasRoom: async (reference: Reference, { now, most }: AddressRoom): Promise<boolean> => {
      if (most === 0) return true
      const values = [...othersOf(reference, now), ...keptSince(now)]
      const [row] = await inTransaction(db, (em) => executeIn<{ count: number }>(em, COUNT_KEPT, values))
      return (row?.count ?? 0) < most
    },
  }
}

function othersOf({ tenantId, paymentId, chainName }: Reference, now: Date): string[] {
  return [tenantId, now.toISOString(), paymentId, chainName]
}

function keptSince(now: Date): string[] {
  const since = new Date(now.getTime() - KEPT_MS).toISOString()
  return [since, since]
}
