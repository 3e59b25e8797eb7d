import type { EntityManager } from '@mikro-orm/postgresql'
import type { QueryResultRow } from 'pg'
import { batcher } from '../../../kernel/batcher.js'
import type { Clock } from '../../../kernel/clock.js'
import { run, type Database } from '../../../kernel/database.js'
import { firstAnswer, keyCutoff } from '../../../kernel/idempotency.js'
import { addJob, jobAnnouncer, JOB_ORIGIN } from '../../../kernel/jobs.js'
import { traceparent } from '../../../kernel/tracing.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { PUBLISH_EVENT } from '../model/publish-event.js'
import { ANNOUNCED_AFTER, type AnnouncedEvent } from './announced-events.js'
import { countStatement, listStatement } from './list-statement.js'
import { isWholeList, listedPages } from './listed-pages.js'
import { paymentChanges, type FollowChange } from './payment-changes.js'
import type { ListWindow, PaymentFilter } from './payment-filter.js'
import {
  BUILT_TRANSACTIONS,
  COUNT_SPLIT_RECEIVERS,
  FIND,
  FIND_AT,
  FIND_MANY,
  FIND_OF_ANY_TENANT,
  fromRow,
  HISTORIES,
  REGISTER,
  registeredPayment,
  registrationRow,
  type TracedRow,
  type HistoryRow,
  type PaymentRow,
  type VersionRow,
} from './payment-rows.js'
import {
  AT_REGISTRATION,
  PaymentEntity,
  PaymentEventEntity,
  type ListedPayment,
  type NewPayment,
  type Payment,
  type PaymentChange,
  type PaymentEvent,
} from './payment.entity.js'

/** One entry of a history, as it is read: what changed stays behind. */
export type HistoryEntry = Omit<PaymentEvent, 'change'>

/** Which entries of a history are read: at most `first`, those after sequence `after`. */
export interface HistoryPage {
  first: number
  after: number
}

/** The most entries of a history that are read at once. */
export const HISTORY_PAGE_MAX = 100

const FIRST_PAGE: HistoryPage = { first: HISTORY_PAGE_MAX, after: 0 }

/** Reads and writes of payments and their history. Every read names the tenant first: another's row does not exist. */
export type PaymentsStore = ReturnType<typeof paymentsStore>

/** The store over payments' own schema. @param follow is told of every status that a payment comes to */
export function paymentsStore(db: Database, clock: Clock, follow?: FollowChange) {
  const announceJob = jobAnnouncer(db.pool)
  const register = registrar(db, clock)
  const find = finder(db)
  const readPage = listedPages(db)
  return {
    /** The payment that the request's idempotency key registered before; undefined where it is new. Throws `idempotency_*`. */
    firstAnswer: (tenant: Tenant): Promise<Payment | undefined> => earlierPayment(db, clock, tenant),
    /** Registers a payment, once per idempotency key: the earlier payment as registered, where the key was used before. */
    register: async (tenant: Tenant, payment: NewPayment): Promise<Payment> => {
      if (await register({ tenant, payment })) {
        announceJob()
        return registeredPayment(payment)
      }
      const earlier = await earlierPayment(db, clock, tenant)
      if (!earlier) throw new Error('a payment was neither registered nor found under its idempotency key')
      return earlier
    },
    /** Registers a payment in a transaction of ours. */
    findIn,
    add: (em: EntityManager, payment: NewPayment): Promise<Payment> => addPayment(em, clock, payment),
    find: (tenantId: string, id: string): Promise<Payment | undefined> => find({ tenantId, id }),
    /** Of whichever tenant, for what names a payment alone; no caller's. Its tenants are few, and each is looked up by the key. */
    findOfAnyTenant: (id: string): Promise<Payment | undefined> => findOfAnyTenant(db, id),
    /** The payments in the order of `ids`, undefined where the tenant has none. */
    findMany: async (tenantId: string, ids: readonly string[]): Promise<(Payment | undefined)[]> => {
      const rows = await run<PaymentRow>(db.pool, FIND_MANY, [tenantId, ids])
      const byId = new Map(rows.map(fromRow).map((payment) => [payment.id, payment]))
      return ids.map((id) => byId.get(id))
    },
    /** Newest first, where the window says nothing else. */
    list: async (tenantId: string, filter: PaymentFilter, window: ListWindow): Promise<ListedPayment[]> => {
      const { shown, limit, after } = window
      if (shown && isWholeList(filter, window)) return readPage(shown, { tenantId, limit, afterId: after?.id })
      const { statement, values } = listStatement(tenantId, filter, window)
      return (await run<PaymentRow>(db.pool, statement, values)).map(fromRow)
    },
    /** How many there are; counted up to `limit`. */
    count: async (tenantId: string, filter: PaymentFilter, limit: number): Promise<number> => {
      const { statement, values } = countStatement(tenantId, filter, limit)
      return (await run<{ count: number }>(db.pool, statement, values))[0]?.count ?? 0
    },
    /** The same page of the histories in the order of `paymentIds`, each oldest first. */
    histories: (tenantId: string, paymentIds: readonly string[], page: HistoryPage): Promise<HistoryEntry[][]> =>
      historiesOf(db, tenantId, paymentIds, page),
    /** The payment as it was after event `sequence`. */
    findAt: (tenantId: string, id: string, sequence: number): Promise<Payment | undefined> =>
      findAt(db, tenantId, id, sequence),
    /** What the payment took over with each transaction that was built for it, newest first. */
    builtTransactions: async (tenantId: string, paymentId: string): Promise<PaymentChange[]> =>
      (await run<{ change: PaymentChange }>(db.pool, BUILT_TRANSACTIONS, [tenantId, paymentId])).map(
        ({ change }) => change,
      ),
    /** To how many receivers the payments since `sinceId` are shared out by wallets' splits; but for one payment. */
    countSplitReceivers: async (
      tenantId: string,
      { sinceId, exceptId }: { sinceId: string; exceptId: string },
    ): Promise<number> => {
      const [row] = await run<{ count: number }>(db.pool, COUNT_SPLIT_RECEIVERS, [tenantId, sinceId, exceptId])
      return row?.count ?? 0
    },
    /** A page of the history, oldest first; by default its first. */
    history: async (tenantId: string, paymentId: string, page: HistoryPage = FIRST_PAGE): Promise<HistoryEntry[]> =>
      (await historiesOf(db, tenantId, [paymentId], page))[0] ?? [],
    /** A page of the changes that the tenant is told of, of all its payments, in the order of their times. */
    announcedAfter: (tenantId: string, { at, paymentId, sequence }: AnnouncedEvent): Promise<AnnouncedEvent[]> =>
      run<AnnouncedEvent & QueryResultRow>(db.pool, ANNOUNCED_AFTER, [tenantId, at, paymentId, sequence]),
    ...paymentChanges(db, clock, follow),
  }
}

type Reference = { tenantId: string; id: string }

/** Finds payments that are asked for at the same time together. */
function finder(db: Database): (reference: Reference) => Promise<Payment | undefined> {
  return batcher(async (references) => {
    const values = [references.map(({ tenantId }) => tenantId), references.map(({ id }) => id)]
    const rows = await run<PaymentRow & { place: number }>(db.pool, FIND, values)
    const found = new Map(rows.map((row) => [row.place, row]))
    return references.map((_, index) => {
      const row = found.get(index + 1)
      return row && fromRow(row)
    })
  })
}

async function findOfAnyTenant(db: Database, id: string): Promise<Payment | undefined> {
  const [row] = await run<PaymentRow>(db.pool, FIND_OF_ANY_TENANT, [id])
  return row && fromRow(row)
}

type Registration = { tenant: Tenant; payment: NewPayment }

/** Writes registrations that come at the same time together; false where a payment's idempotency key is taken. */
function registrar(db: Database, clock: Clock): (registration: Registration) => Promise<boolean> {
  const write = async (registrations: readonly (Registration & TracedRow)[]): Promise<boolean[]> => {
    const given = registrations.map((registration) => registrationRow(registration))
    const rows = await run<{ id: string }>(db.pool, REGISTER, [JSON.stringify(given), keyCutoff(clock)])
    const registered = new Set(rows.map(({ id }) => id))
    return registrations.map(({ payment }) => registered.has(payment.id))
  }
  const keyOf = ({ tenant }: Registration): string | undefined =>
    tenant.idempotency && `${tenant.id} ${tenant.idempotency.key}`
  // A statement takes the database longer by itself than what four rows add to it.
  const add = batcher(write, keyOf, 1)
  // What is written together was asked for by requests with traces of their own.
  return (registration) => add({ ...registration, [JOB_ORIGIN]: traceparent() })
}

/** A payment as the transaction of `em` sees it, without a lock. */
async function findIn(em: EntityManager, tenantId: string, id: string): Promise<Payment | undefined> {
  return (await em.findOne(PaymentEntity, { tenantId, id })) ?? undefined
}

async function addPayment(em: EntityManager, clock: Clock, registered: NewPayment): Promise<Payment> {
  const { tenantId, id, createdAt } = registered
  const payment = em.create(PaymentEntity, registeredPayment(registered))
  const [type, cause] = ['payment.registered', 'registered']
  const event = { tenantId, paymentId: id, sequence: 1, type, cause, change: {}, notify: true, createdAt }
  em.persist([payment, em.create(PaymentEventEntity, event)])
  await addJob(em, clock, {
    name: PUBLISH_EVENT,
    payload: { tenantId, source: 'payments', resourceId: id, sequence: 1 },
  })
  return payment
}

/** The payment that was registered under the request's idempotency key before, as it was then. */
async function earlierPayment(db: Database, clock: Clock, tenant: Tenant): Promise<Payment | undefined> {
  const first = await firstAnswer<{ paymentId: string }>(db.pool, tenant, clock)
  if (!first) return undefined
  const earlier = await findAt(db, tenant.id, first.paymentId, 1)
  if (!earlier) throw new Error('an idempotency key names a payment that does not exist')
  return earlier
}

async function findAt(db: Database, tenantId: string, id: string, sequence: number): Promise<Payment | undefined> {
  const [row] = await run<VersionRow>(db.pool, FIND_AT, [tenantId, id, sequence, Object.keys(AT_REGISTRATION)])
  if (!row) return undefined
  const payment = fromRow(row)
  const updatedAt = row.changedAt === null ? payment.updatedAt : new Date(row.changedAt)
  return Object.assign(payment, AT_REGISTRATION, row.change, { sequence, updatedAt }) as Payment
}

async function historiesOf(
  db: Database,
  tenantId: string,
  paymentIds: readonly string[],
  { first, after }: HistoryPage,
): Promise<HistoryEntry[][]> {
  const rows = await run<HistoryRow>(db.pool, HISTORIES, [tenantId, paymentIds, after, first])
  const found = Map.groupBy(
    rows.map(({ event }) => ({ ...event, createdAt: new Date(event.createdAt) })),
    ({ paymentId }) => paymentId,
  )
  return paymentIds.map((id) => found.get(id) ?? [])
}
