import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { inTransaction, run, type Database } from '../../../kernel/database.js'
import { claimValues, firstAnswer } from '../../../kernel/idempotency.js'
import { addJob, jobAnnouncer } from '../../../kernel/jobs.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentStatus } from '../domain/payment-status.js'
import type { TransactionType } from '../domain/transaction-type.js'
import {
  AT_REGISTRATION,
  FIND,
  FIND_MANY,
  fromRow,
  listStatement,
  PUBLISH_EVENT,
  REGISTER,
  type PaymentRow,
} from './payment-rows.js'
import {
  PaymentEntity,
  PaymentEventEntity,
  type Payment,
  type PaymentChange,
  type PaymentEvent,
} from './payment.entity.js'

/** A payment as it is registered; the rest of its columns is as in `AT_REGISTRATION`. */
export type NewPayment = Omit<Payment, keyof PaymentChange | 'sequence' | 'updatedAt'>

/** A change of a payment, why it came, and whether tenants are told. */
export interface RecordedChange {
  change: PaymentChange
  cause: string
  notify: boolean
}

/** Decides on a payment under its row lock: the change with its cause, or undefined for none; may throw. */
export type Decide = (payment: Payment, em: EntityManager) => Promise<RecordedChange | undefined>

/** Which payments a list holds; what is absent is any. */
export interface PaymentFilter {
  status?: PaymentStatus | null
  transactionType?: TransactionType | null
  orderCode?: string | null
  createdFrom?: string | null
  createdBefore?: string | null
}

/** Reads and writes of payments and their history. Every read names the tenant first: another's row does not exist. */
export interface PaymentsStore {
  /** Registers a payment, once per idempotency key: the earlier payment as registered, where the key was used before. */
  register: (tenant: Tenant, payment: NewPayment) => Promise<Payment>
  find: (tenantId: string, id: string) => Promise<Payment | undefined>
  /** The payments in the order of `ids`, undefined where the tenant has none. */
  findMany: (tenantId: string, ids: readonly string[]) => Promise<(Payment | undefined)[]>
  /** Newest first, at most `limit`, those registered before `afterId`. */
  list: (
    tenantId: string,
    filter: PaymentFilter,
    page: { limit: number; afterId: string | undefined },
  ) => Promise<Payment[]>
  /** The payment as it was after event `sequence`. */
  findAt: (tenantId: string, id: string, sequence: number) => Promise<Payment | undefined>
  /** The history, oldest first. */
  history: (tenantId: string, paymentId: string) => Promise<PaymentEvent[]>
  /** The histories in the order of `paymentIds`, each oldest first. */
  histories: (tenantId: string, paymentIds: readonly string[]) => Promise<PaymentEvent[][]>
  /** Decides and changes under the payment's row lock: no two requests or workers see the same state and act on it. */
  change: (tenantId: string, id: string, decide: Decide) => Promise<Payment | undefined>
}

/** The store over payments' own schema. */
export function paymentsStore(db: Database, clock: Clock): PaymentsStore {
  const announceJob = jobAnnouncer(db.pool)
  return {
    register: async (tenant, payment) => {
      const registered = await register(db, clock, tenant, payment)
      announceJob()
      return registered
    },
    find: async (tenantId, id) => {
      const [row] = await run<PaymentRow>(db.pool, FIND, [tenantId, id])
      return row && fromRow(row)
    },
    findMany: async (tenantId, ids) => {
      const rows = await run<PaymentRow>(db.pool, FIND_MANY, [tenantId, ids])
      const byId = new Map(rows.map(fromRow).map((payment) => [payment.id, payment]))
      return ids.map((id) => byId.get(id))
    },
    list: async (tenantId, filter, { limit, afterId }) => {
      const { status, transactionType, orderCode, createdFrom, createdBefore } = filter
      const values = [tenantId, limit, afterId, status, transactionType, orderCode, createdFrom, createdBefore]
      const rows = await run<PaymentRow>(
        db.pool,
        listStatement(values),
        values.filter((value) => value != null),
      )
      return rows.map(fromRow)
    },
    histories: async (tenantId, paymentIds) => {
      const found = await db.orm.em
        .fork()
        .find(PaymentEventEntity, { tenantId, paymentId: { $in: [...paymentIds] } }, { orderBy: { sequence: 'asc' } })
      return paymentIds.map((id) => found.filter(({ paymentId }) => paymentId === id))
    },
    findAt: (tenantId, id, sequence) => findAt(db, tenantId, id, sequence),
    history: (tenantId, paymentId) => historyOf(db, tenantId, paymentId),
    change: (tenantId, id, decide) =>
      inTransaction(db, async (em) => {
        const payment = await em.findOne(PaymentEntity, { tenantId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
        if (!payment) return undefined
        const recorded = await decide(payment, em)
        if (recorded) await record(em, clock, payment, recorded)
        return payment
      }),
  }
}

async function register(db: Database, clock: Clock, tenant: Tenant, payment: NewPayment): Promise<Payment> {
  const event = { tenantId: payment.tenantId, source: 'payments', resourceId: payment.id, sequence: 1 }
  const rows = await run<{ id: string }>(db.pool, REGISTER, [
    payment.tenantId,
    payment.id,
    payment.executorId,
    payment.orderCode,
    payment.publicClientId,
    payment.webhookUrl,
    JSON.stringify(payment.paymentMethodAllowed),
    JSON.stringify(payment.splitPaymentConfig),
    payment.gatewayMethod,
    payment.fromCurrencySymbol,
    payment.amountFrom,
    payment.toCurrencySymbol,
    payment.toChain,
    payment.onRamp,
    payment.metadata == null ? null : JSON.stringify(payment.metadata),
    payment.createdAt.toISOString(),
    JSON.stringify(event),
    ...claimValues(tenant, { paymentId: payment.id, sequence: 1 }, clock),
  ])
  if (rows[0]) return { ...payment, ...AT_REGISTRATION, sequence: 1, updatedAt: payment.createdAt }
  const first = await firstAnswer<{ paymentId: string }>(db.pool, tenant, clock)
  const earlier = first && (await findAt(db, tenant.id, first.paymentId, 1))
  if (!earlier) throw new Error('a payment was neither registered nor found under its idempotency key')
  return earlier
}

async function findAt(db: Database, tenantId: string, id: string, sequence: number): Promise<Payment | undefined> {
  const [row] = await run<PaymentRow>(db.pool, FIND, [tenantId, id])
  if (!row) return undefined
  const payment = fromRow(row)
  const events = (await historyOf(db, tenantId, id)).filter((event) => event.sequence <= sequence)
  const updatedAt = events.at(-1)?.createdAt ?? payment.updatedAt
  return Object.assign(payment, AT_REGISTRATION, ...events.map(({ change }) => change), {
    sequence,
    updatedAt,
  }) as Payment
}

function historyOf(db: Database, tenantId: string, paymentId: string): Promise<PaymentEvent[]> {
  return db.orm.em.fork().find(PaymentEventEntity, { tenantId, paymentId }, { orderBy: { sequence: 'asc' } })
}

async function record(
  em: EntityManager,
  clock: Clock,
  payment: Payment,
  { change, cause, notify }: RecordedChange,
): Promise<void> {
  const { tenantId, id: paymentId } = payment
  const sequence = payment.sequence + 1
  Object.assign(payment, change, { sequence, updatedAt: clock.now() })
  const type = `payment.${payment.status}`
  em.persist(
    em.create(PaymentEventEntity, {
      tenantId,
      paymentId,
      sequence,
      type,
      cause,
      change,
      notify,
      createdAt: payment.updatedAt,
    }),
  )
  if (!notify) return
  await addJob(em, clock, {
    name: PUBLISH_EVENT,
    payload: { tenantId, source: 'payments', resourceId: paymentId, sequence },
  })
}
