import type { QueryResultRow } from 'pg'
import { run, type Database } from '../../../kernel/database.js'
import { movedAmount, type ShownReturn } from '../model/moved-amount.js'

/** An entry of a payment's history. */
export interface EntryPlace {
  paymentId: string
  sequence: number
}

/** An amount that an entry is about. */
export interface Moved {
  /** A decimal string. */
  amount: string
  /** The currency that was charged. */
  currency: string
}

interface ChangeRow extends QueryResultRow {
  place: number
  cause: string
  currency: string | null
  returns: ShownReturn[] | null
  before: ShownReturn[] | null
}

/** What an entry left as gone back, beside what the last one before it that says so did. */
const MOVED = {
  name: 'payment_moved_money',
  text: `select place::int, entry.cause, entry.change #>> '{globalPaymentData,currency}' as currency,
      entry.change #> '{globalPaymentData,returns}' as returns,
      (select earlier.change #> '{globalPaymentData,returns}' from payments.payment_event as earlier
        where earlier.tenant_id = $1 and earlier.payment_id = entry.payment_id and earlier.sequence < entry.sequence
          and earlier.change #> '{globalPaymentData,returns}' is not null
        order by earlier.sequence desc limit 1) as before
    from unnest($2::text[], $3::int[]) with ordinality as wanted (payment_id, sequence, place)
    join payments.payment_event as entry on entry.tenant_id = $1 and entry.payment_id = wanted.payment_id
      and entry.sequence = wanted.sequence`,
}

/** How much entries of histories are about that tell of money which goes back. */
export function movedMoneyStore({ pool }: Database) {
  return {
    /** In the order of the entries, undefined where one is about no such money. */
    ofEntries: async (tenantId: string, entries: readonly EntryPlace[]): Promise<(Moved | undefined)[]> => {
      const values = [tenantId, entries.map(({ paymentId }) => paymentId), entries.map(({ sequence }) => sequence)]
      const rows = await run<ChangeRow>(pool, MOVED, values)
      const found = new Map(rows.map((row) => [row.place, movedBy(row)]))
      return entries.map((_, index) => found.get(index + 1))
    },
  }
}

function movedBy({ cause, currency, returns, before }: ChangeRow): Moved | undefined {
  const amount = movedAmount(cause, before ?? [], returns ?? [])
  return amount === null || currency === null ? undefined : { amount, currency }
}
