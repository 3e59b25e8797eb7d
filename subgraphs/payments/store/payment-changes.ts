import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { columnOf, recordOf } from '../../../kernel/columns.js'
import { inTransaction, runIn, type Database, type NamedStatement } from '../../../kernel/database.js'
import { addGivenJobs, givenJobs, type JobRequest } from '../../../kernel/jobs.js'
import { takesNoMoney } from '../model/attempt-rules.js'
import type { PaymentCause } from '../model/payment-cause.js'
import { withShownReturns } from '../model/shown-returns.js'
import { fromRow, PAYMENT, type PaymentRow } from './payment-rows.js'
import {
  CHANGING_PROPERTIES,
  PaymentEntity,
  type Payment,
  type PaymentChange,
  type PaymentEvent,
} from './payment.entity.js'
import { publishJobs, type ToldEvent } from './publish-jobs.js'

/** A change of a payment, why it came, and whether tenants are told. */
export interface RecordedChange {
  change: PaymentChange
  cause: PaymentCause
  notify: boolean
  /** Whether the payer has paid by it, which is followed also where the status stays: receivers may wait for weeks, and the success with them. */
  isPaid?: boolean
  /** What follows from it: added by the statement that records the change, before the jobs that tell tenants. */
  jobs?: readonly JobRequest[]
}

/** Decides on a payment under its row lock: the change with its cause, or undefined for none; may throw. */
export type Decide = (payment: Payment, em: EntityManager) => Promise<RecordedChange | undefined>

/** Decides on several payments under their row locks, as `Decide` does on one. */
export type DecideMany = (
  payments: readonly Payment[],
  em: EntityManager,
) => Promise<ReadonlyMap<Payment, RecordedChange | undefined>>

/** What else changes with a payment's status, with its end for good, or when its payer has paid, in the same transaction. */
export type FollowChange = (em: EntityManager, payment: Payment, change: { isPaid: boolean }) => Promise<void>

type Reference = { tenantId: string; id: string }

/** A named statement, as the unit of work takes twice as long for a row of this many columns (ADR 6). */
const LOCK = {
  name: 'payment_lock',
  text: `select ${PAYMENT} from payments.payment where tenant_id = any($1) and id = any($2) order by id for update`,
}

/** The writes that decide under row locks: no two requests or workers see the same state and act on it. */
export function paymentChanges(db: Database, clock: Clock, follow?: FollowChange) {
  const changeMany = (references: readonly Reference[], decide: DecideMany): Promise<readonly Payment[]> =>
    inTransaction(db, async (em) => {
      const ids = [references.map(({ tenantId }) => tenantId), references.map(({ id }) => id)]
      const payments = (await runIn<PaymentRow>(em, LOCK, ids)).map(fromRow)
      const states = payments.map(stateOf)
      const decided = await decide(payments, em)
      await recordAll(em, clock, decided)
      for (const [index, payment] of payments.entries()) {
        const isPaid = decided.get(payment)?.isPaid === true
        if (isPaid || stateOf(payment) !== states[index]) await follow?.(em, payment, { isPaid })
      }
      return payments
    })
  return changesBy(changeMany)
}

/** What others follow of a payment: one in `error` may be canceled, or given back, and is in `error` as before. */
function stateOf(payment: Payment): string {
  return takesNoMoney(payment) ? 'over' : payment.status
}

/** The writes of which all are one: a change of many payments under their locks. */
export function changesBy(
  changeMany: (references: readonly Reference[], decide: DecideMany) => Promise<readonly Payment[]>,
) {
  return {
    /** Decides and changes one payment. */
    change: async (tenantId: string, id: string, decide: Decide): Promise<Payment | undefined> => {
      const [payment] = await changeMany([{ tenantId, id }], async ([found], em) =>
        found ? new Map([[found, await decide(found, em)]]) : new Map<Payment, undefined>(),
      )
      return payment
    },
    /**
     * Decides on many payments in one transaction. They are locked in the order of their ids, so that two that lock the same
     * ones wait, and do not stop, each other.
     */
    changeMany: async (references: readonly Reference[], decide: DecideMany): Promise<void> => {
      await changeMany(references, decide)
    },
  }
}

/** One entry of a history with the change that it tells of, as `recordStatement` reads it. */
type Entry = Omit<PaymentEvent, 'createdAt'> & { createdAt: string }

/** Changes payments, each with an entry of its history, and has tenants told of those that say so. */
async function recordAll(
  em: EntityManager,
  clock: Clock,
  decided: ReadonlyMap<Payment, RecordedChange | undefined>,
): Promise<void> {
  const entries: Entry[] = []
  const jobs: JobRequest[] = []
  const told: ToldEvent[] = []
  for (const [payment, recorded] of decided) {
    if (!recorded) continue
    const { cause, notify } = recorded
    const { tenantId, id: paymentId } = payment
    const change = said(payment, recorded.change)
    const sequence = payment.sequence + 1
    const now = clock.now()
    Object.assign(payment, change, { sequence, updatedAt: now })
    const type = `payment.${payment.status}`
    entries.push({ tenantId, paymentId, sequence, type, cause, change, notify, createdAt: now.toISOString() })
    jobs.push(...(recorded.jobs ?? []))
    if (notify) told.push({ payment, event: { tenantId, source: 'payments', resourceId: paymentId, sequence } })
  }
  jobs.push(...publishJobs(told))
  const alike = Map.groupBy(entries, ({ change }) => placesOf(change))
  for (const [place, [, some]] of [...alike].entries()) {
    const ids = [some.map(({ tenantId }) => tenantId), some.map(({ paymentId }) => paymentId)]
    // All jobs come with the last of the statements, in the order in which they were decided.
    const given = place === alike.size - 1 ? jobs : []
    await runIn(em, recordStatement(some[0]?.change ?? {}), [JSON.stringify(some), ...ids, givenJobs(clock, given)])
  }
}

/** A change without the columns about which it says nothing, and with what stays of those that it says anew. */
function said({ globalPaymentData: shown }: Payment, change: PaymentChange): PaymentChange {
  const globalPaymentData = withShownReturns(shown, change.globalPaymentData)
  return Object.fromEntries(Object.entries({ ...change, globalPaymentData }).filter(([, value]) => value !== undefined))
}

/** Which columns a change has, as a short name. */
function placesOf(change: PaymentChange): string {
  return CHANGING_PROPERTIES.reduce((sum, property, place) => sum + (property in change ? 2 ** place : 0), 0).toString(
    36,
  )
}

/**
 * Records changes of the same columns of payments, with their entries of the history and the jobs that follow. $1: the entries as
 * a JSON array, $2 and $3: tenants and ids of the payments, by which they are looked up whatever the planner thinks of $1, $4: jobs.
 */
function recordStatement(change: PaymentChange): NamedStatement {
  const changed = CHANGING_PROPERTIES.filter((property) => property in change)
  const set = changed.map((property) => `, ${columnOf(property)} = changed."${property}"`).join('')
  const values =
    changed.length === 0 ? '' : `, jsonb_to_record(change) as changed (${recordOf(PaymentEntity, changed)})`
  return {
    name: `payment_record_${placesOf(change)}`,
    text: `with given as (
      select * from json_to_recordset($1::json) as row ("tenantId" text, "paymentId" text, sequence int, type text, cause text,
        change jsonb, notify boolean, "createdAt" timestamptz)
    ), payment as (
      update payments.payment as payment set sequence = given.sequence, updated_at = given."createdAt"${set}
      from given${values} where payment.tenant_id = any($2) and payment.id = any($3)
        and payment.tenant_id = given."tenantId" and payment.id = given."paymentId"
    ), event as (
      insert into payments.payment_event (tenant_id, payment_id, sequence, type, cause, change, notify, created_at)
      select "tenantId", "paymentId", sequence, type, cause, change, notify, "createdAt" from given
    )
    ${addGivenJobs('$4')}`,
  }
}
