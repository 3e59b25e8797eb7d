import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { addJob, type JobRequest } from '../../../kernel/jobs.js'

/** A transaction of which an operator says that it is the owner's: it funds a treasury, or takes something out of it. */
export interface OwnerTransfer {
  id: string
  chainName: string
  hash: string
  reason: string
  orderedBy: string
  orderedAt: Date
  /** `refused`: nothing was booked, `result` says why. */
  state: 'ordered' | 'done' | 'refused'
  result: string | null
  endedAt: Date | null
}

/** An order that is to be written down. */
export type NewOwnerTransfer = Pick<OwnerTransfer, 'id' | 'chainName' | 'hash' | 'reason' | 'orderedBy'>

/** What was booked for a transaction. */
export interface BookedOwnerTransfer {
  result: string
  /** The transaction's block; on Solana its slot. */
  blockNumber: number
  /** The names of the entries that moved our accounts. */
  entries: readonly string[]
}

const COLUMNS = `id, chain_name as "chainName", hash, reason, ordered_by as "orderedBy", ordered_at as "orderedAt", state,
  result, ended_at as "endedAt"`

const ORDER = `insert into payments.owner_transfer (id, chain_name, hash, reason, ordered_by, ordered_at)
  values (?, ?, ?, ?, ?, ?::timestamptz) on conflict do nothing returning ${COLUMNS}`

const FIND = `select ${COLUMNS} from payments.owner_transfer where id = ?`

const FIND_STANDING = `select ${COLUMNS} from payments.owner_transfer where chain_name = ? and hash = ? and state <> 'refused'`

const FIND_ORDERED = `select ${COLUMNS} from payments.owner_transfer where chain_name = ? and state = 'ordered'
  order by ordered_at limit ?`

const IS_DONE = `select 1 from payments.owner_transfer where chain_name = ? and hash = ? and state = 'done'`

const BOOK = `update payments.owner_transfer set state = 'done', result = ?, block_number = ?,
    entries = array(select json_array_elements_text(?::json)), ended_at = ?::timestamptz
  where id = ? and state = 'ordered' returning id`

const REFUSE = `update payments.owner_transfer set state = 'refused', result = ?, ended_at = ?::timestamptz
  where id = ? and state = 'ordered'`

/** What owners have put into treasuries and taken out, as operators say, and what came of their orders. */
export function ownerTransfersStore(db: Database, clock: Clock) {
  const first = (sql: string, values: unknown[]): Promise<OwnerTransfer | undefined> =>
    inTransaction(db, async (em) => (await executeIn<OwnerTransfer>(em, sql, values))[0])
  return {
    /**
     * Writes an order down, with the job that carries it out.
     * @returns undefined where the transaction is ordered or booked already
     */
    order: (given: NewOwnerTransfer, job: JobRequest): Promise<OwnerTransfer | undefined> =>
      inTransaction(db, async (em) => {
        const { id, chainName, hash, reason, orderedBy } = given
        const values = [id, chainName, hash, reason, orderedBy, clock.now().toISOString()]
        const [ordered] = await executeIn<OwnerTransfer>(em, ORDER, values)
        if (ordered) await addJob(em, clock, job)
        return ordered
      }),
    find: (id: string) => first(FIND, [id]),
    /** The order about a transaction that was not refused. */
    findStanding: (chainName: string, hash: string) => first(FIND_STANDING, [chainName, hash]),
    /** Those of a chain that are not carried out yet, the oldest first. */
    findOrdered: (chainName: string, limit: number): Promise<OwnerTransfer[]> =>
      inTransaction(db, (em) => executeIn<OwnerTransfer>(em, FIND_ORDERED, [chainName, limit])),
    /** Whether a transaction is booked as the owner's. */
    isDone: (chainName: string, hash: string): Promise<boolean> =>
      inTransaction(db, async (em) => (await executeIn(em, IS_DONE, [chainName, hash])).length > 0),
    /** Ends an order that is booked in the same transaction. @returns false where another worker has ended it */
    end: async (em: EntityManager, id: string, booked: BookedOwnerTransfer): Promise<boolean> => {
      const { result, blockNumber, entries } = booked
      const values = [result, blockNumber, JSON.stringify(entries), clock.now().toISOString(), id]
      return (await executeIn(em, BOOK, values)).length > 0
    },
    refuse: (id: string, result: string): Promise<void> =>
      inTransaction(db, async (em) => {
        await executeIn(em, REFUSE, [result, clock.now().toISOString(), id])
      }),
  }
}
