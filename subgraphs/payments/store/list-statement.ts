import type { NamedStatement } from '../../../kernel/database.js'
import { idBound } from '../../../kernel/ids.js'
import type { PaymentStatus } from '../model/payment-status.js'
import type { TransactionType } from '../model/transaction-type.js'
import { PAYMENT } from './payment-rows.js'

/** Which payments a list holds; what is absent is any. */
export interface PaymentFilter {
  status?: PaymentStatus | null
  transactionType?: TransactionType | null
  orderCode?: string | null
  /** In any case of its letters. */
  payerEmail?: string | null
  /** The id, or the beginning of e-mail address, wallet, hash, txid or a value of the metadata; in any case of its letters. */
  search?: string | null
  createdFrom?: string | null
  createdBefore?: string | null
}

/** Which part of a list is read: at most `limit`, those registered before `afterId`. */
export interface ListWindow {
  limit: number
  afterId: string | undefined
}

/** What a list can be narrowed by, after the tenant ($1) and the limit ($2), in this order. */
const CONDITIONS = [
  'id < ?',
  'status = ?',
  'transaction_type = ?',
  'order_code = ?',
  'created_at >= ?',
  'id >= ?',
  'created_at < ?',
  'id < ?',
  'lower(payer_email) collate "C" = lower(?)',
] as const

/** How far the time in an id may be from when its payment was registered: the clock is asked for each by itself. */
const ID_SLACK_MS = 60_000

/** Where each kind of text is looked for: the table, the text, and the payment that it belongs to. */
const SEARCHED = [
  ['payments.payment', 'lower(payer_email) collate "C"', 'id'],
  ['payments.payment', 'lower(payer_wallet) collate "C"', 'id'],
  ['payments.payment', 'lower(tid_hash) collate "C"', 'id'],
  ['payments.charge', 'lower(reference) collate "C"', 'payment_id'],
  ['payments.payment_term', 'term', 'payment_id'],
] as const

/** The payments whose id is the text or that have one that begins with it. No text goes on with the last character. */
function hits(text: string): string {
  const beginning = SEARCHED.map(
    ([table, column, id]) => `select ${id} from ${table}
      where tenant_id = $1 and ${column} >= lower(${text}) and ${column} < lower(${text}) || chr(1114111)`,
  )
  return [`select id as wanted from payments.payment where tenant_id = $1 and id = ${text}`, ...beginning].join(
    ' union ',
  )
}

/**
 * The statement of a list: newest first, by the order of ids. Each set of filters is a statement of its own, so that each
 * is planned for its index; there are few sets, so few names. What a search finds is looked up one by one in the order of
 * the list, whatever the planner thinks of the table.
 */
export function listStatement(
  tenantId: string,
  { status, transactionType, orderCode, payerEmail, search, createdFrom, createdBefore }: PaymentFilter,
  { limit, afterId }: ListWindow,
): { statement: NamedStatement; values: unknown[] } {
  const times = [createdFrom, boundOf(createdFrom, -ID_SLACK_MS), createdBefore, boundOf(createdBefore, ID_SLACK_MS)]
  const given = [afterId, status, transactionType, orderCode, ...times, payerEmail]
  const values: unknown[] = [tenantId, limit]
  const used = CONDITIONS.flatMap((condition, index) =>
    given[index] == null ? [] : [`and ${condition.replace('?', `$${values.push(given[index])}`)}`],
  )
  const where = `where tenant_id = $1 ${used.join(' ')}`
  const name = `payment_list_${[...given, search].map((value) => (value == null ? 0 : 1)).join('')}`
  if (search == null) {
    return {
      statement: { name, text: `select ${PAYMENT} from payments.payment ${where} order by id desc limit $2` },
      values,
    }
  }
  const ofIds = used.filter((condition) => condition.startsWith('and id ')).map((one) => one.replace('id', 'wanted'))
  const text = `with hit as materialized (${hits(`$${values.push(search)}`)})
    select payment from (select wanted from hit where true ${ofIds.join(' ')} order by wanted desc) as ordered,
      lateral (select ${PAYMENT} from payments.payment ${where} and id = wanted limit 1) as found
    order by wanted desc limit $2`
  return { statement: { name, text }, values }
}

/** A bound on ids, which lets the index of ids find where a time lies. */
function boundOf(at: string | null | undefined, slackMs: number): string | undefined {
  return at == null ? undefined : idBound(new Date(new Date(at).getTime() + slackMs))
}
