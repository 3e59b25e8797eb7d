import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { addJob, type JobRequest } from '../../../kernel/jobs.js'
import { TreasuryTransactionEntity } from './payout.entity.js'

/** `retry`: let its payouts have another transaction; `cancel`: let it pay nobody; `resolve`: its receivers have their money. */
export type InterventionAction = 'retry' | 'cancel' | 'resolve'

/** What is ordered about a transaction, or `release`: a payment's receivers are paid although something holds them. */
export type DecidedAction = InterventionAction | 'release'

/** What an operator has decided about a transaction of the treasury, and what came of it. */
export interface Intervention<Action extends DecidedAction = InterventionAction> {
  id: string
  chainName: string
  /** The transaction; of a release, the payment. */
  batchId: string
  action: Action
  reason: string | null
  orderedBy: string
  /** Who proposed it, where two people are needed. */
  proposedBy: string | null
  orderedAt: Date
  /** `refused`: nothing was done, `result` says why. */
  state: 'ordered' | 'done' | 'refused'
  result: string | null
  endedAt: Date | null
}

/** How a decision ended. */
export type InterventionResult = Pick<Intervention, 'result'> & { state: 'done' | 'refused' }

const COLUMNS = `id, chain_name as "chainName", batch_id as "batchId", action, reason, ordered_by as "orderedBy",
  proposed_by as "proposedBy", ordered_at as "orderedAt", state, result, ended_at as "endedAt"`

/** A transaction goes by its own id, which all of its versions share, or by the hash of one. */
const FIND_BATCH = `select chain_name as "chainName", batch_id as "batchId" from payments.treasury_transaction
  where batch_id = ? or hash = ? limit 1`

const ORDER = `insert into payments.intervention
    (id, chain_name, batch_id, action, reason, ordered_by, proposed_by, ordered_at)
  values (?, ?, ?, ?, ?, ?, ?, ?::timestamptz) on conflict do nothing returning ${COLUMNS}`

const RECORD = `insert into payments.intervention
    (id, chain_name, batch_id, action, reason, ordered_by, proposed_by, ordered_at, state, result, ended_at)
  values (?, ?, ?, ?, ?, ?, ?, ?::timestamptz, 'done', ?, ?::timestamptz) returning ${COLUMNS}`

const PAGE = `select ${COLUMNS} from payments.intervention where ?::text is null or id < ? order by id desc limit ?`

const FIND = `select ${COLUMNS} from payments.intervention where id = ?`

const FIND_ORDERED = `select ${COLUMNS} from payments.intervention where chain_name = ? and state = 'ordered'
  order by array_position(array(select json_array_elements_text(?::json)), id) nulls first, ordered_at limit ?`

const END = `update payments.intervention set state = ?, result = ?, ended_at = ?::timestamptz
  where id = ? and state = 'ordered'`

/** A decision that is to be written down. */
export type NewIntervention<Action extends DecidedAction = InterventionAction> = Omit<
  Intervention<Action>,
  'orderedAt' | 'state' | 'result' | 'endedAt'
>

function valuesOf(given: NewIntervention<DecidedAction>, at: Date): unknown[] {
  const { id, chainName, batchId, action, reason, orderedBy, proposedBy } = given
  return [id, chainName, batchId, action, reason, orderedBy, proposedBy, at.toISOString()]
}

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
    order: async (em: EntityManager, given: NewIntervention, job: JobRequest): Promise<Intervention | undefined> => {
      const [ordered] = await executeIn<Intervention>(em, ORDER, valuesOf(given, clock.now()))
      if (ordered) await addJob(em, clock, job)
      return ordered
    },
    /** Writes down what was done at once, in its transaction. */
    record: async (
      em: EntityManager,
      given: NewIntervention<DecidedAction>,
      result: string,
    ): Promise<Intervention<DecidedAction>> => {
      const now = clock.now()
      const values = [...valuesOf(given, now), result, now.toISOString()]
      const [recorded] = await executeIn<Intervention<DecidedAction>>(em, RECORD, values)
      if (!recorded) throw new Error('a row that was inserted came back')
      return recorded
    },
    /** The newest first. @param after only those with lower ids */
    page: (after: string | undefined, limit: number): Promise<Intervention<DecidedAction>[]> =>
      inTransaction(db, (em) => executeIn(em, PAGE, [after ?? null, after ?? null, limit])),
    /** A unit of work in one transaction. */
    transaction: <T>(work: (em: EntityManager) => Promise<T>): Promise<T> => inTransaction(db, work),
    find: (id: string): Promise<Intervention | undefined> =>
      inTransaction(db, async (em) => (await executeIn<Intervention>(em, FIND, [id]))[0]),
    /**
     * Those of a chain that are not carried out yet, the oldest first.
     * @param tried ids of those that come last, in this order
     */
    findOrdered: (chainName: string, tried: readonly string[], limit: number): Promise<Intervention[]> =>
      inTransaction(db, (em) => executeIn<Intervention>(em, FIND_ORDERED, [chainName, JSON.stringify(tried), limit])),
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
