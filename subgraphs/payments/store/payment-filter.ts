import { idBound } from '../../../kernel/ids.js'
import type { PaymentSort } from '../model/payment-sort.js'
import type { PaymentStatus } from '../model/payment-status.js'
import type { TransactionType } from '../model/transaction-type.js'
import type { ListedProperty } from './payment.entity.js'

/** Amounts in one fiat currency, both ends included; what is absent is any. */
export interface AmountRange {
  /** E.g. `BRL`, in capitals. */
  currency: string
  /** Decimals. */
  atLeast?: string | null
  atMost?: string | null
}

/** Which payments a list holds; what is absent is any. */
export interface PaymentFilter {
  status?: PaymentStatus | null
  /** Any of these. */
  statuses?: readonly PaymentStatus[] | null
  amount?: AmountRange | null
  /** A field of the metadata itself, not of an object in it, and its text or number. */
  metadata?: { key: string; value: string } | null
  transactionType?: TransactionType | null
  /** Any of these. */
  transactionTypes?: readonly TransactionType[] | null
  orderCode?: string | null
  /** In any case of its letters. */
  payerEmail?: string | null
  /** The id, or the beginning of e-mail address, wallet, hash, a value of the metadata, or most of a txid; in any case of its letters. */
  search?: string | null
  createdFrom?: string | null
  createdBefore?: string | null
}

/** The place of a payment in a list; its amount counts where the list is sorted by that. */
export interface ListPlace {
  id: string
  amount?: string | undefined
}

/** Which part of a list is read: at most `limit`, those behind `after`. */
export interface ListWindow {
  limit: number
  after: ListPlace | undefined
  sort?: PaymentSort
  /** What is wanted of each payment, where that is what lists show; otherwise it is whole. More may be there. */
  shown?: readonly ListedProperty[] | undefined
}

/** What a list can be narrowed by, each with its value; every `?` is that value. */
export function conditionsOf(
  filter: PaymentFilter,
  { after, sort }: Pick<ListWindow, 'after' | 'sort'>,
): [string, unknown][] {
  const { status, statuses, transactionType, transactionTypes, amount } = filter
  const { orderCode, payerEmail, createdFrom, createdBefore } = filter
  const isBehind = sort?.direction === 'asc' ? '>' : '<'
  return [
    [`id ${isBehind} ?`, sort?.by === 'amount' ? undefined : after?.id],
    ['status = ?', status],
    ['status = any(?)', statuses],
    ['transaction_type = ?', transactionType],
    ['transaction_type = any(?)', transactionTypes],
    ['order_code = ?', orderCode],
    ['created_at >= ?', createdFrom],
    ['id >= ?', boundOf(createdFrom, -ID_SLACK_MS)],
    ['created_at < ?', createdBefore],
    ['id < ?', boundOf(createdBefore, ID_SLACK_MS)],
    ['lower(payer_email) collate "C" = lower(?)', payerEmail],
    ['from_currency_symbol = ?', amount?.currency],
    [`${AMOUNT} >= ?::numeric`, amount?.atLeast],
    [`${AMOUNT} <= ?::numeric`, amount?.atMost],
  ]
}

/** As the index of amounts has it. */
export const AMOUNT = '(amount_from::numeric)'

/** How far the time in an id may be from when its payment was registered: the clock is asked for each by itself. */
const ID_SLACK_MS = 60_000

/** A bound on ids, which lets the index of ids find where a time lies. */
function boundOf(at: string | null | undefined, slackMs: number): string | undefined {
  return at == null ? undefined : idBound(new Date(new Date(at).getTime() + slackMs))
}
