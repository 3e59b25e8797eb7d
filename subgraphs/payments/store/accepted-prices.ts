import type { Pool } from 'pg'
import type { AcceptedPrice, CurrencyPair, Judgement } from '../model/accepted-price.js'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import type { Clock } from '../../../kernel/clock.js'

interface Row extends Record<string, unknown> {
  base: string
  quote: string
  rate: string
  acceptedAt: string | Date
  heldRate: string | null
  heldReadings: number
  heldAt: string | Date | null
}

const COLUMNS = `base, quote, trim_scale(rate)::text as rate, accepted_at as "acceptedAt",
  trim_scale(held_rate)::text as "heldRate", held_readings as "heldReadings", held_at as "heldAt"`

const FIND = {
  name: 'accepted_price_find',
  text: `select ${COLUMNS} from payments.accepted_price where base = $1 and quote = $2`,
}

const LOCK = `select ${COLUMNS} from payments.accepted_price where base = ? and quote = ? for update`

const SAVE = `insert into payments.accepted_price (base, quote, rate, accepted_at, held_rate, held_readings, held_at)
  values (?, ?, ?, ?::timestamptz, ?, ?, ?::timestamptz)
  on conflict (base, quote) do update set rate = excluded.rate, accepted_at = excluded.accepted_at,
    held_rate = excluded.held_rate, held_readings = excluded.held_readings, held_at = excluded.held_at`

const LIST = `select ${COLUMNS} from payments.accepted_price order by base, quote`

const ACCEPT_HELD = `update payments.accepted_price set rate = held_rate, accepted_at = ?::timestamptz, held_rate = null,
    held_readings = 0, held_at = null
  where base = ? and quote = ? and held_rate is not null returning 1`

/** The last price of each pair by which money moved, for all processes. */
export type AcceptedPricesStore = ReturnType<typeof acceptedPricesStore>

export function acceptedPricesStore(db: Database) {
  const pool: Pool = db.pool
  return {
    find: async ({ base, quote }: CurrencyPair): Promise<AcceptedPrice | undefined> => {
      const [row] = await run<Row>(pool, FIND, [base, quote])
      return row && rowOf(row)
    },
    /**
     * Judges by the pair's row as it is now, alone among all processes, and keeps what the judgement says.
     * @returns whether the price is accepted
     */
    judge: (pair: CurrencyPair, judge: (last: AcceptedPrice | undefined) => Judgement): Promise<boolean> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<Row>(em, LOCK, [pair.base, pair.quote])
        const { isAccepted, next } = judge(row && rowOf(row))
        if (next) {
          const { rate, acceptedAt, held } = next
          const heldValues = [held?.rate ?? null, held?.readings ?? 0, held?.at.toISOString() ?? null]
          await executeIn(em, SAVE, [pair.base, pair.quote, rate, acceptedAt.toISOString(), ...heldValues])
        }
        return isAccepted
      }),
  }
}

/** Every pair that was priced, with what is held of it. */
export async function listPrices(db: Database): Promise<AcceptedPrice[]> {
  const rows = await inTransaction(db, (em) => executeIn<Row>(em, LIST, []))
  return rows.map(rowOf)
}

/** Accepts the price of a pair that is held. @returns whether one was */
export async function acceptHeldPrice(db: Database, clock: Clock, { base, quote }: CurrencyPair): Promise<boolean> {
  const values = [clock.now().toISOString(), base, quote]
  const accepted = await inTransaction(db, (em) => executeIn(em, ACCEPT_HELD, values))
  return accepted.length > 0
}

function rowOf({ base, quote, rate, acceptedAt, heldRate, heldReadings, heldAt }: Row): AcceptedPrice {
  const held =
    heldRate === null || heldAt === null ? undefined : { rate: heldRate, readings: heldReadings, at: new Date(heldAt) }
  return { base, quote, rate, acceptedAt: new Date(acceptedAt), held }
}
