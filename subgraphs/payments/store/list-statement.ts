import type { NamedStatement } from '../../../kernel/database.js'
import { NEWEST_FIRST, type PaymentSort } from '../model/payment-sort.js'
import { AMOUNT, conditionsOf, type ListPlace, type ListWindow, type PaymentFilter } from './payment-filter.js'
import { LISTED_PAYMENT, PAYMENT } from './payment-rows.js'

/**
 * A reference begins with the id of its payment, and ids of one time begin alike: fewer characters would find a large part of all
 * charges, which have to be looked at before the first is shown.
 */
const REFERENCE_MIN = 20

/** Where each kind of text is looked for: the table, the text, the payment that it belongs to, and from how many characters on. */
const SEARCHED: readonly (readonly [table: string, column: string, id: string, least?: number])[] = [
  ['payments.payment', 'lower(payer_email) collate "C"', 'id'],
  ['payments.payment', 'lower(payer_wallet) collate "C"', 'id'],
  ['payments.payment', 'lower(tid_hash) collate "C"', 'id'],
  ['payments.charge', 'lower(reference) collate "C"', 'payment_id', REFERENCE_MIN],
  ['payments.payment_term', 'term', 'payment_id'],
]

/** The payments whose id is the text or that have one that begins with it. No text goes on with the last character. */
function hits(text: string): string {
  const beginning = SEARCHED.map(
    ([table, column, id, least]) => `select ${id} from ${table}
      where tenant_id = $1 and ${column} >= lower(${text}) and ${column} < lower(${text}) || chr(1114111)
        ${least === undefined ? '' : `and length(${text}) >= ${least}`}`,
  )
  return [`select id as wanted from payments.payment where tenant_id = $1 and id = ${text}`, ...beginning].join(
    ' union ',
  )
}

/**
 * The statement of a list. Each set of filters is a statement of its own, so that each is planned for its index; there are
 * few sets, so few names. What texts find is looked up one by one in the order of the list, whatever the planner thinks of
 * the table. A list sorted by amounts has to have their currency, and no text.
 */
export function listStatement(
  tenantId: string,
  filter: PaymentFilter,
  { limit, after, sort = NEWEST_FIRST, shown }: ListWindow,
): { statement: NamedStatement; values: unknown[] } {
  const values: unknown[] = [tenantId, limit]
  const { where, used } = whereOf(filter, { after, sort }, values)
  const place = sort.by === 'amount' && after ? `and ${behindAmount(sort, after, values)}` : ''
  const ids = wantedIds(filter, { where, used, direction: sort.direction }, values)
  const payment = shown ? LISTED_PAYMENT : PAYMENT
  const name = `payment_list_${shown ? 'listed_' : ''}${sort.by}_${sort.direction}_${nameOf(filter, after)}`
  if (ids === undefined) {
    const order = sort.by === 'amount' ? `${AMOUNT} ${sort.direction}, id ${sort.direction}` : `id ${sort.direction}`
    const text = `select ${payment} from payments.payment ${where} ${place} order by ${order} limit $2`
    return { statement: { name, text }, values }
  }
  const text = `${ids.first} select payment from (${ids.select} order by wanted ${sort.direction}) as ordered,
      lateral (select ${payment} from payments.payment ${where}${ids.also} and id = wanted limit 1) as found
    order by wanted ${sort.direction} limit $2`
  return { statement: { name, text }, values }
}

/** The statement that counts a list, up to `limit`: reading more would take as long as the list is. */
export function countStatement(
  tenantId: string,
  filter: PaymentFilter,
  limit: number,
): { statement: NamedStatement; values: unknown[] } {
  const values: unknown[] = [tenantId, limit]
  const { where, used } = whereOf(filter, { after: undefined }, values)
  const ids = hasText(filter) ? wantedIds(filter, { where, used, direction: 'desc' }, values) : undefined
  // The order of an index that holds them keeps the planner from reading the table of all tenants.
  const byId = severalOf(filter) === undefined && filter.amount == null ? 'order by id desc' : ''
  const counted = ids
    ? `select 1 from (${ids.select}) as hit, lateral (select 1 from payments.payment ${where}${ids.also} and id = wanted
        limit 1) as found limit $2`
    : `select 1 from payments.payment ${where} ${byId} limit $2`
  const text = `${ids?.first ?? ''} select count(*)::int as count from (${counted}) as counted`
  return { statement: { name: `payment_count_${nameOf(filter, undefined)}`, text }, values }
}

/** @param values what is used is added to them */
function whereOf(
  filter: PaymentFilter,
  window: Omit<ListWindow, 'limit'>,
  values: unknown[],
): { where: string; used: readonly string[] } {
  const used = conditionsOf(filter, window).flatMap(([condition, value]) =>
    value == null ? [] : [`and ${condition.replace('?', `$${values.push(value)}`)}`],
  )
  return { where: `where tenant_id = $1 ${used.join(' ')}`, used }
}

function behindAmount({ direction }: PaymentSort, { amount, id }: ListPlace, values: unknown[]): string {
  const sign = direction === 'asc' ? '>' : '<'
  return `(${AMOUNT}, id) ${sign} ($${values.push(amount)}::numeric, $${values.push(id)})`
}

function hasText({ search, metadata }: PaymentFilter): boolean {
  return search != null || metadata != null
}

/** The column of which a filter has several values, and those. */
function severalOf({ statuses, transactionTypes }: PaymentFilter) {
  if (statuses != null) return { column: 'status', values: statuses }
  return transactionTypes == null ? undefined : { column: 'transaction_type', values: transactionTypes }
}

/** The ids among which a list is: of what texts find, or the first ones of each status or type. */
interface WantedIds {
  /** What stands in front of the statement. */
  first: string
  /** Selects `wanted`. */
  select: string
  /** What a payment has to have besides. */
  also: string
}

/** Undefined where the index of the list itself finds them. */
function wantedIds(
  filter: PaymentFilter,
  { where, used, direction }: { where: string; used: readonly string[]; direction: 'asc' | 'desc' },
  values: unknown[],
): WantedIds | undefined {
  const ofIds = used.filter((condition) => condition.startsWith('and id ')).map((one) => one.replace('id', 'wanted'))
  const { search, metadata, amount } = filter
  if (metadata != null) {
    const [key, value] = [`$${values.push(metadata.key)}`, `$${values.push(metadata.value)}`]
    const among = search == null ? '' : `and payment_id in (${hits(`$${values.push(search)}`)})`
    const terms = `select payment_id as wanted from payments.payment_term
      where tenant_id = $1 and term = lower(left(${value}, ${TERM_LENGTH})) ${among}`
    const select = `select wanted from (${terms}) as term where true ${ofIds.join(' ')}`
    return { first: '', select, also: ` and metadata ->> ${key} = ${value}` }
  }
  if (search != null) {
    const first = `with hit as materialized (${hits(`$${values.push(search)}`)})`
    return { first, select: `select wanted from hit where true ${ofIds.join(' ')}`, also: '' }
  }
  // An index has the order of the list within one status, or one type, only.
  const several = severalOf(filter)
  if (!several || amount != null) return undefined
  const ofOne = `select id from payments.payment ${where} and ${several.column} = one order by id ${direction} limit $2`
  const select = `select id as wanted from unnest($${values.indexOf(several.values) + 1}::text[]) as one, lateral (${ofOne}) as first_of`
  return { first: '', select, also: '' }
}

/** As the function `metadata_terms` keeps them. */
const TERM_LENGTH = 200

/** One name for each set of filters. */
function nameOf(filter: PaymentFilter, after: ListPlace | undefined): string {
  const { amount, metadata, search } = filter
  const given = [
    ...conditionsOf(filter, { after: undefined }).map(([, value]) => value),
    search,
    metadata,
    amount,
    after,
  ]
  return given.map((value) => (value == null ? 0 : 1)).join('')
}
