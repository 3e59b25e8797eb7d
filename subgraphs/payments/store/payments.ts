import type { EntityManager } from '@mikro-orm/postgresql'
import { LockMode } from '@mikro-orm/postgresql'
import type { QueryResultRow } from 'pg'
import type { Clock } from '../../../kernel/clock.js'
import { inTransaction, run, type Database } from '../../../kernel/database.js'
import { claimExpression, claimValues, firstAnswer } from '../../../kernel/idempotency.js'
import { addJob } from '../../../kernel/jobs.js'
import type { Tenant } from '../../../kernel/tenant.js'
import {
  PaymentEntity,
  PaymentEventEntity,
  type Payment,
  type PaymentChange,
  type PaymentEvent,
} from './payment.entity.js'

/** The job that tells the tenant of an event; added with the event, worked off by the deliveries. */
export const PUBLISH_EVENT = 'publish-event'

const COLUMNS = `tenant_id as "tenantId", id, status, sequence, executor_id as "executorId", order_code as "orderCode",
  public_client_id as "publicClientId", webhook_url as "webhookUrl", payment_method_allowed as "paymentMethodAllowed",
  split_payment_config as "splitPaymentConfig", gateway_method as "gatewayMethod",
  from_currency_symbol as "fromCurrencySymbol", amount_from as "amountFrom", to_currency_symbol as "toCurrencySymbol",
  amount_to as "amountTo", to_chain as "toChain", on_ramp as "onRamp", transaction_type as "transactionType",
  payer_email as "payerEmail", payer_wallet as "payerWallet", payer_token_symbol as "payerTokenSymbol",
  payer_cpf as "payerCpf", chain_name as "chainName", unsigned_transaction as "unsignedTransaction",
  signed_transaction as "signedTransaction", tid_hash as "tidHash", global_payment_data as "globalPaymentData",
  data_error as "dataError", quote_id as "quoteId", metadata, created_at as "createdAt", updated_at as "updatedAt"`

const FIND = { name: 'payment_find', text: `select ${COLUMNS} from payments.payment where tenant_id = $1 and id = $2` }

const FIND_MANY = {
  name: 'payment_find_many',
  text: `select ${COLUMNS} from payments.payment where tenant_id = $1 and id = any($2)`,
}

/** Payment, first event, idempotency key and the job that publishes the event: one statement, one commit. */
const REGISTER = {
  name: 'payment_register',
  text: `with claim as (${claimExpression(17)}), payment as (
    insert into payments.payment (tenant_id, id, status, sequence, executor_id, order_code, public_client_id, webhook_url,
      payment_method_allowed, split_payment_config, gateway_method, from_currency_symbol, amount_from, to_currency_symbol,
      to_chain, on_ramp, metadata, created_at, updated_at)
    select $1, $2, 'registered', 1, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10, $11, $12, $13, $14::boolean, $15::jsonb,
      $16::timestamptz, $16::timestamptz
    where $18::text is null or exists (select from claim)
    returning id
  ), event as (
    insert into payments.payment_event (tenant_id, payment_id, sequence, type, cause, change, notify, created_at)
    select $1, id, 1, 'payment.registered', 'registered', '{}', true, $16::timestamptz from payment
  )
  select id, graphile_worker.add_job('${PUBLISH_EVENT}', json_build_object('tenantId', $1::text, 'source', 'payments',
    'resourceId', id, 'sequence', 1)) is not null as published
  from payment`,
}

/** What the mutable columns hold right after registration: the ground on which the history's changes are laid. */
const AT_REGISTRATION: Required<PaymentChange> = {
  status: 'registered',
  amountTo: null,
  chainName: null,
  dataError: null,
  globalPaymentData: null,
  payerCpf: null,
  payerEmail: null,
  payerTokenSymbol: null,
  payerWallet: null,
  quoteId: null,
  signedTransaction: null,
  tidHash: null,
  transactionType: null,
  unsignedTransaction: null,
}

/** A payment as it is registered; the rest of its columns is as in `AT_REGISTRATION`. */
export type NewPayment = Omit<Payment, keyof PaymentChange | 'sequence' | 'updatedAt'>

export type PaymentsStore = ReturnType<typeof paymentsStore>

/** Reads and writes of payments and their history. Every read names the tenant first: another's row does not exist. */
export function paymentsStore(db: Database, clock: Clock) {
  return {
    /**
     * Registers a payment, once per idempotency key.
     * @returns the payment's id; an earlier request's, where the key was used before
     */
    async register(tenant: Tenant, payment: NewPayment): Promise<{ id: string; replayed: boolean }> {
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
        payment.metadata === null ? null : JSON.stringify(payment.metadata),
        payment.createdAt.toISOString(),
        ...claimValues(tenant, { paymentId: payment.id, sequence: 1 }, clock),
      ])
      if (rows[0]) return { id: rows[0].id, replayed: false }
      const first = await firstAnswer<{ paymentId: string }>(db.pool, tenant, clock)
      if (!first) throw new Error('a payment was neither registered nor found under its idempotency key')
      return { id: first.paymentId, replayed: true }
    },

    /** A payment that was just registered, without reading it back. */
    asRegistered(payment: NewPayment): Payment {
      return { ...payment, ...AT_REGISTRATION, sequence: 1, updatedAt: payment.createdAt }
    },

    async find(tenantId: string, id: string): Promise<Payment | undefined> {
      const [row] = await run<PaymentRow>(db.pool, FIND, [tenantId, id])
      return row && fromRow(row)
    },

    /** The payments in the order of `ids`, undefined where the tenant has none. */
    async findMany(tenantId: string, ids: readonly string[]): Promise<(Payment | undefined)[]> {
      const rows = await run<PaymentRow>(db.pool, FIND_MANY, [tenantId, ids])
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.map((id) => byId.get(id)).map((row) => row && fromRow(row))
    },

    /** The payment as it was after event `sequence`. */
    async findAt(tenantId: string, id: string, sequence: number): Promise<Payment | undefined> {
      const payment = await this.find(tenantId, id)
      if (!payment) return undefined
      const events = await this.history(tenantId, id)
      const upTo = events.filter((event) => event.sequence <= sequence)
      const last = upTo.at(-1)
      const changes = upTo.map((event) => event.change)
      return Object.assign(payment, AT_REGISTRATION, ...changes, {
        sequence,
        updatedAt: last?.createdAt ?? payment.updatedAt,
      }) as Payment
    },

    /** The history, oldest first. */
    async history(tenantId: string, paymentId: string): Promise<PaymentEvent[]> {
      return db.orm.em.fork().find(PaymentEventEntity, { tenantId, paymentId }, { orderBy: { sequence: 'asc' } })
    },

    /**
     * Decides and changes under the payment's row lock: no two requests or workers see the same state and act on it.
     * @param decide gets the locked payment and returns the change with its cause, or undefined for none; may throw
     */
    change(
      tenantId: string,
      id: string,
      decide: (payment: Payment, em: EntityManager) => Promise<RecordedChange | undefined>,
    ): Promise<Payment | undefined> {
      return inTransaction(db, async (em) => {
        const payment = await em.findOne(PaymentEntity, { tenantId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
        if (!payment) return undefined
        const recorded = await decide(payment, em)
        if (recorded) await record(em, payment, recorded)
        return payment
      })
    },
  }

  async function record(em: EntityManager, payment: Payment, recorded: RecordedChange): Promise<void> {
    const { change, cause, notify } = recorded
    const sequence = payment.sequence + 1
    em.assign(payment, { ...change, sequence, updatedAt: clock.now() } as Partial<Payment>)
    em.create(
      PaymentEventEntity,
      {
        tenantId: payment.tenantId,
        paymentId: payment.id,
        sequence,
        type: `payment.${payment.status}`,
        cause,
        change,
        notify,
        createdAt: payment.updatedAt,
      },
      { persist: true },
    )
    if (!notify) return
    const payload = { tenantId: payment.tenantId, source: 'payments', resourceId: payment.id, sequence }
    await addJob(em, clock, { name: PUBLISH_EVENT, payload })
  }
}

/** A change of a payment, why it came, and whether tenants are told. */
export interface RecordedChange {
  change: PaymentChange
  cause: string
  notify: boolean
}

type PaymentRow = Omit<Payment, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string } & QueryResultRow

function fromRow(row: PaymentRow): Payment {
  return { ...row, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) }
}
