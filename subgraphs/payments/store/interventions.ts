import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { addJob, type JobRequest } from '../../../kernel/jobs.js'
import { TreasuryTransactionEntity } from './payout.entity.js'

/** `retry`: let its payouts have another transaction; `cancel`: let it pay nobody; `resolve`: its receivers have their money. */
export type InterventionAction = 'retry' | 'cancel' | 'resolve'

/** What an operator has decided about a transaction of the treasury, and what came of it. */
export interface Intervention {
  id: string
  chainName: string
  batchId: string
  action: InterventionAction
  reason: string | null
  orderedBy: string
  orderedAt: Date
  /** `refused`: nothing was done, `result` says why. */
  state: 'ordered' | 'done' | 'refused'
  result: string | null
  endedAt: Date | null
}

/** How a decision ended. */
export type InterventionResult = Pick<Intervention, 'result'> & { state: 'done' | 'refused' }

const COLUMNS = `id, chain_name as "chainName", batch_id as "batchId", action, reason, ordered_by as "orderedBy",
  ordered_at as "orderedAt", state, result, ended_at as "endedAt"`

/** A transaction goes by its own id, which all of its versions share, or by the hash of one. */
const FIND_BATCH = `select chain_name as "chainName", batch_id as "batchId" from payments.treasury_transaction
  where batch_id = ? or hash = ? limit 1`

const ORDER = `insert into payments.intervention (id, chain_name, batch_id, action, reason, ordered_by, ordered_at)
  values (?, ?, ?, ?, ?, ?, ?::timestamptz) on conflict do nothing returning ${COLUMNS}`

const FIND = `select ${COLUMNS} from payments.intervention where id = ?`

const FIND_ORDERED = `select ${COLUMNS} from payments.intervention where chain_name = ? and state = 'ordered'
  order by ordered_at limit ?`

const END = `update payments.intervention set state = ?, result = ?, ended_at = ?::timestamptz
  where id = ? and state = 'ordered'`

export type InterventionsStore = ReturnType<typeof interventionsStore>

export function interventionsStore(db: Database, clock: Clock) {
  return {
    /** Which transaction an id or a hash means; undefined where there is none. */
    findTransaction: (id: string): Promise<Pick<Intervention, 'chainName' | 'batchId'> | undefined> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<Pick<Intervention, 'chainName' | 'batchId'>>(em, FIND_BATCH, [id, id])
        return row
      }),
    /**
     * Writes a decision down, with the job that carries it out.
     * @returns undefined where another one about the same transaction is not carried out yet
     */
    order: (
      given: Pick<Intervention, 'id' | 'chainName' | 'batchId' | 'action' | 'reason' | 'orderedBy'>,
      job: JobRequest,
    ): Promise<Intervention | undefined> =>
      inTransaction(db, async (em) => {
        const { id, chainName, batchId, action, reason, orderedBy } = given
        const values = [id, chainName, batchId, action, reason, orderedBy, clock.now().toISOString()]
        const [ordered] = await executeIn<Intervention>(em, ORDER, values)
        if (ordered) await addJob(em, clock, job)
        return ordered
      }),
    find: (id: string): Promise<Intervention | undefined> =>
      inTransaction(db, async (em) => (await executeIn<Intervention>(em, FIND, [id]))[0]),
    /** Those of a chain that are not carried out yet, the oldest first. */
    findOrdered: (chainName: string, limit: number): Promise<Intervention[]> =>
      inTransaction(db, (em) => executeIn<Intervention>(em, FIND_ORDERED, [chainName, limit])),
    /** Writes down that a transaction is to pay nobody, in all of its versions; a second time it changes nothing. */
    markCancelled: (batchId: string, cancelledAt: Date): Promise<void> =>
      inTransaction(db, async (em) => {
        await em.nativeUpdate(TreasuryTransactionEntity, { batchId, cancelledAt: null }, { cancelledAt })
      }),
    end: (id: string, { state, result }: InterventionResult): Promise<void> =>
      inTransaction(db, async (em) => {
        await executeIn(em, END, [state, result, clock.now().toISOString(), id])
      }),
  }
}
