import type { Transaction } from '../../../kernel/database.js'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'

/** A payment whose reference is looked for on a chain of Solana. */
export interface WatchedReference {
  tenantId: string
  paymentId: string
  chainName: string
  /** Base58, see `paymentKey`. */
  reference: string
}

const KEY = 'tenant_id = ? and payment_id = ? and chain_name = ?'

const WATCH = `insert into payments.watched_reference (tenant_id, payment_id, chain_name, reference, watch_until)
  values (?, ?, ?, ?, ?::timestamptz)
  on conflict (tenant_id, payment_id, chain_name) do update set watch_until = excluded.watch_until`

/**
 * Those whose payment still waits for a wallet, so many of each tenant as there is room for: one with thousands must not keep
 * another's from being looked at. Of a tenant they are others at each moment, so that each has its turn.
 */
const WATCHED = {
  name: 'watched_references',
  text: `select "tenantId", "paymentId", "chainName", reference, seen from (
      select watched.tenant_id as "tenantId", payment_id as "paymentId", watched.chain_name as "chainName", reference, seen,
        row_number() over (partition by watched.tenant_id order by md5(payment_id || $2::text)) as place
      from payments.watched_reference as watched
      join payments.payment as payment on payment.tenant_id = watched.tenant_id and payment.id = payment_id
        and payment.status <> 'success' and payment.signed_transaction is null
      where watched.chain_name = $1 and watch_until > $2::text::timestamptz) as open
    order by place limit $3`,
}

const SEE = `update payments.watched_reference set seen = array_append(seen, ?::text)
  where ${KEY} and not ?::text = any(seen) returning 1 as one`

const FORGET = 'delete from payments.watched_reference where watch_until < ?::timestamptz'

/** The references that are looked for. */
export function referencesStore(db: Database) {
  const keyOf = ({ tenantId, paymentId, chainName }: WatchedReference) => [tenantId, paymentId, chainName]
  return {
    /** In the transaction of `em`; again, it is looked for longer. */
    watch: async (em: Transaction, watched: WatchedReference, until: Date): Promise<void> => {
      await executeIn(em, WATCH, [...keyOf(watched), watched.reference, until.toISOString()])
    },
    watched: (chainName: string, now: Date, limit: number): Promise<(WatchedReference & { seen: string[] })[]> =>
      run<WatchedReference & { seen: string[] } & Record<string, unknown>>(db.pool, WATCHED, [
        chainName,
        now.toISOString(),
        limit,
      ]),
    /**
     * Notes that a transaction was found.
     * @param then in the same transaction, where it is found for the first time
     */
    see: (watched: WatchedReference, signature: string, then: (em: Transaction) => Promise<void>): Promise<void> =>
      inTransaction(db, async (em) => {
        const isNew = (await executeIn(em, SEE, [signature, ...keyOf(watched), signature])).length > 0
        if (isNew) await then(em)
      }),
    /** Forgets what is not looked for any more. */
    forget: (before: Date): Promise<void> =>
      inTransaction(db, async (em) => {
        await executeIn(em, FORGET, [before.toISOString()])
      }),
  }
}
