import type { QueryResultRow } from 'pg'
import { columnOf, columnsOf, recordOf } from '../../../kernel/columns.js'
import { CLAIM_COLUMNS, claimGiven, type ClaimRow } from '../../../kernel/idempotency.js'
import type { NamedStatement } from '../../../kernel/database.js'
import { JOB_ORIGIN, quietJobs } from '../../../kernel/jobs.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { PUBLISH_EVENT } from '../model/publish-event.js'
import {
  AT_REGISTRATION,
  LISTED_PROPERTIES,
  NEW_PAYMENT_PROPERTIES,
  NO_NOTES,
  PAYMENT_PROPERTIES,
  PaymentEntity,
  type ListedPayment,
  type ListedProperty,
  type NewPayment,
  type Payment,
  type PaymentChange,
  type PaymentEvent,
} from './payment.entity.js'

/**
 * A payment as one JSON value. The driver takes a column apart at every answer: for this many it costs several times what
 * one `JSON.parse` does, and the database makes the JSON in the time in which it would write the columns.
 */
export const PAYMENT = asJson(PAYMENT_PROPERTIES)

/** The same, with what lists show. */
export const LISTED_PAYMENT = asJson(LISTED_PROPERTIES)

function asJson(properties: readonly string[]): string {
  return `(select row_to_json(named) from (select ${columnsOf(properties)}) as named) as payment`
}

/**
 * Pages of what tenants have, newest first and narrowed by nothing, by the arrays of tenants ($1), lengths ($2) and, for
 * those that do not begin at the beginning, ids that they are behind ($3): one JSON value for each, with its place.
 * @param name under which each connection keeps them
 * @param shown what is read of each payment
 */
export function pagesOf(name: string, shown: readonly ListedProperty[]): Record<'first' | 'after', NamedStatement> {
  return { first: listedPages(name, shown, false), after: listedPages(`${name}_after`, shown, true) }
}

function listedPages(name: string, shown: readonly ListedProperty[], isBehind: boolean): NamedStatement {
  const [given, names] = isBehind ? [', $3::text[]', ', after'] : ['', '']
  return {
    name,
    text: `select place::int, page from unnest($1::text[], $2::int[]${given}) with ordinality as given (tenant, size${names}, place),
      lateral (select json_agg(named) as page from (select ${columnsOf(shown)} from payments.payment
        where tenant_id = tenant ${isBehind ? 'and id < after' : ''} order by id desc limit size) as named) as found`,
  }
}

/** A payment by its id ($1) alone. */
export const FIND_OF_ANY_TENANT = {
  name: 'payment_find_of_any_tenant',
  text: `with recursive known (tenant) as (select min(tenant_id) from payments.payment
      union all select (select min(tenant_id) from payments.payment where tenant_id > tenant) from known where tenant is not null)
    select ${PAYMENT} from payments.payment where tenant_id = any(array(select tenant from known)) and id = $1`,
}

/**
 * Payments by the arrays of tenants ($1) and ids ($2), each with its place in them, from 1. The limit has every one looked
 * up by its key, whatever the planner thinks of the table.
 */
export const FIND = {
  name: 'payment_find',
  text: `select place::int, payment from unnest($1::text[], $2::text[]) with ordinality as given (tenant, wanted, place),
    lateral (select ${PAYMENT} from payments.payment where tenant_id = tenant and id = wanted limit 1) as found`,
}

export const FIND_MANY = {
  name: 'payment_find_many',
  text: `select ${PAYMENT} from payments.payment where tenant_id = $1 and id = any($2)`,
}

/**
 * The histories of payments, each entry as one JSON value: at most $4 entries of each, those after sequence $3. The change
 * stays behind: nobody who reads a history is shown it, and it is most of what an entry weighs.
 */
export const HISTORIES = {
  name: 'payment_histories',
  text: `select (select row_to_json(named) from (select tenant_id as "tenantId", payment_id as "paymentId", sequence, type,
      cause, notify, created_at as "createdAt") as named) as event
    from unnest($2::text[]) as wanted, lateral (select * from payments.payment_event
      where tenant_id = $1 and payment_id = wanted and sequence > $3 order by sequence limit $4) as entry
    order by sequence`,
}

/**
 * A payment ($1 tenant, $2 id), the newest value of each column ($4) up to sequence $3, and when the last change up to there
 * was. Each column is looked for from that sequence backwards, and a transaction sets them all: however long the history
 * is, a few entries of it are read.
 */
export const FIND_AT = {
  name: 'payment_find_at',
  text: `select ${PAYMENT}, (select jsonb_object_agg(name, value) from unnest($4::text[]) as name, lateral (
        select change -> name as value from payments.payment_event
        where tenant_id = $1 and payment_id = $2 and sequence <= $3 and jsonb_exists(change, name)
        order by sequence desc limit 1) as newest) as change,
      (select to_json(created_at) from payments.payment_event where tenant_id = $1 and payment_id = $2 and sequence <= $3
        order by sequence desc limit 1) as "changedAt"
    from payments.payment where tenant_id = $1 and id = $2`,
}

/** The row of `FIND_AT`; both are null where there is no entry up to the sequence. */
export interface VersionRow extends PaymentRow {
  change: PaymentChange | null
  /** ISO 8601. */
  changedAt: string | null
}

/** A row of `HISTORIES`; timestamps are ISO 8601 texts. */
export interface HistoryRow extends QueryResultRow {
  event: Omit<PaymentEvent, 'createdAt' | 'change'> & { createdAt: string }
}

/** A new payment as its row. */
export function registeredPayment(payment: NewPayment): Payment {
  return { ...NO_NOTES, ...payment, ...AT_REGISTRATION, sequence: 1, updatedAt: payment.createdAt }
}

/**
 * A registration as `REGISTER` reads it out of JSON: the payment by its properties, and the idempotency key's claim beside
 * them. One flat object, copied whole: a row within a row takes the database longer, and a copy by columns this process.
 */
export function registrationRow(
  registration: { tenant: Tenant; payment: NewPayment } & TracedRow,
): NewPayment & ClaimRow & TracedRow {
  const { tenant, payment, [JOB_ORIGIN]: origin } = registration
  const { key = null, fingerprint = null } = tenant.idempotency ?? {}
  const answer = { paymentId: payment.id, sequence: 1 }
  return { ...payment, key, fingerprint, answer, [JOB_ORIGIN]: origin }
}

/** The span that asked for a row, which its job is linked to; undefined where there are no traces. */
export interface TracedRow {
  [JOB_ORIGIN]: string | undefined
}

const PUBLISHED = `json_strip_nulls(json_build_object('tenantId', tenant_id, 'source', 'payments', 'resourceId', id, 'sequence', 1,
  '${JOB_ORIGIN}', ${JOB_ORIGIN}))`

/**
 * Payments, their first events, idempotency keys and the (quiet) jobs that publish the events: one statement, one commit.
 * $1: the rows as a JSON array, $2: when a key is too old to hold its place.
 */
export const REGISTER = {
  name: 'payment_register',
  text: `with given as (
    select * from json_to_recordset($1::json) as row (${CLAIM_COLUMNS}, ${JOB_ORIGIN} text, ${recordOf(PaymentEntity, NEW_PAYMENT_PROPERTIES)})
  ), claim as (${claimGiven('$2')}), payment as (
    insert into payments.payment (status, sequence, updated_at, ${NEW_PAYMENT_PROPERTIES.map(columnOf).join(', ')})
    select '${AT_REGISTRATION.status}', 1, "createdAt", ${NEW_PAYMENT_PROPERTIES.map((name) => `"${name}"`).join(', ')}
    from given where key is null or ("tenantId", key) in (select tenant_id, key from claim)
    returning tenant_id, id, created_at
  ), event as (
    insert into payments.payment_event (tenant_id, payment_id, sequence, type, cause, change, notify, created_at)
    select tenant_id, id, 1, 'payment.registered', 'registered', '{}', true, created_at from payment
  ), job as (
    ${quietJobs(PUBLISH_EVENT, PUBLISHED, 'payment join given using (id)')}
  )
  select id from payment`,
}

/** What a payment took over with each transaction that was built for it, newest first. They are bounded where they are built. */
export const BUILT_TRANSACTIONS = {
  name: 'payment_built_transactions',
  text: `select change from payments.payment_event
    where tenant_id = $1 and payment_id = $2 and cause = 'transaction_created' and change ->> 'unsignedTransaction' is not null
    order by sequence desc limit 200`,
}

/**
 * To how many receivers a tenant's payments are shared out, for the limit of a day (`check-split-cost`): $1 tenant, $2 from which
 * id on, $3 which payment is left out.
 */
export const COUNT_SPLIT_RECEIVERS = {
  name: 'payment_count_split_receivers',
  text: `select coalesce(sum(jsonb_array_length(split_payment_config)), 0)::int as count from payments.payment
    where tenant_id = $1 and id >= $2 and id <> $3 and split_version is not null and status in ('pending', 'success')`,
}

/** A row of `LISTED_PAGES`; null where there is none. Timestamps are ISO 8601 texts. */
export interface PageRow extends QueryResultRow {
  place: number
  page: (Omit<ListedPayment, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string })[] | null
}

/** A row of these statements; timestamps are ISO 8601 texts. */
export interface PaymentRow extends QueryResultRow {
  payment: Omit<Payment, 'createdAt' | 'updatedAt'> & { createdAt: string; updatedAt: string }
}

/** The payment of a row, which becomes it: on the hot path a copy of this many fields counts. */
export function fromRow({ payment }: PaymentRow): Payment {
  return withDates(payment)
}

/** What a row's JSON becomes: with times where it has their texts; it may lack them. */
export function withDates<Texts extends { createdAt: string; updatedAt: string }>(
  row: Texts,
): Omit<Texts, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date } {
  const dated: Partial<Record<'createdAt' | 'updatedAt', string | Date>> = row
  if (dated.createdAt !== undefined) dated.createdAt = new Date(dated.createdAt)
  if (dated.updatedAt !== undefined) dated.updatedAt = new Date(dated.updatedAt)
  return dated as Omit<Texts, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }
}
