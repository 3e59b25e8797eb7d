import { isHttpUrl } from '../../../../kernel/http-url.js'
import { fromBaseUnits } from '../../../../kernel/money.js'
import type { CardOnFile, ChargeData, ChargeView, ReceivedPayment, Refund } from '../../model/charge.js'
import type { RefusalCode } from '../../model/refusal.js'
import { jsonReader, type Json } from '../json-reader.js'
import type { ShownCard } from '../processor-adapter.js'
import { withoutCardNumbers } from './card-number.js'
import { cardRefusal } from './refusal.js'

const { dateOf, listOf, objectOf, refuse: notCard, textOf } = jsonReader('card')

/**
 * What is shown and kept of an order: these fields by name, and nothing else, so that whatever the processor adds or
 * echoes stays out. Of the card that is its brand, last four digits and holder.
 */
type Shape = { readonly [name: string]: true | Shape | readonly [Shape] }

/** Fields whose values are kept as they are. */
function plain(...names: readonly string[]): Shape {
  return Object.fromEntries(names.map((name) => [name, true]))
}

const TIMES = plain('created_at', 'updated_at')
const SPLIT: Shape = {
  ...plain('amount', 'type', 'recipient_id'),
  recipient: plain('id', 'name'),
  options: plain('liable', 'charge_processing_fee', 'charge_remainder_fee'),
}
const TRANSACTION: Shape = {
  ...plain('id', 'transaction_type', 'gateway_id', 'amount', 'status', 'success', 'installments'),
  ...plain('statement_descriptor', 'operation_type', 'acquirer_name', 'acquirer_tid', 'acquirer_nsu'),
  ...plain('acquirer_auth_code', 'acquirer_message', 'acquirer_return_code', 'threed_authentication_url'),
  card: plain('brand', 'last_four_digits', 'holder_name'),
  gateway_response: { code: true, errors: [{ message: true }] },
  antifraud_response: plain('status', 'return_code', 'return_message', 'provider_name', 'score'),
  split: [SPLIT],
  ...TIMES,
}
const CHARGE: Shape = {
  ...plain('id', 'code', 'gateway_id', 'amount', 'paid_amount', 'canceled_amount', 'status', 'currency'),
  ...plain('payment_method', 'paid_at', 'canceled_at'),
  ...TIMES,
  last_transaction: TRANSACTION,
}
const ORDER: Shape = {
  ...plain('id', 'code', 'amount', 'currency', 'closed', 'status'),
  items: [plain('id', 'description', 'amount', 'quantity', 'code')],
  customer: { id: true },
  charges: [CHARGE],
  ...TIMES,
  closed_at: true,
}

/** An order's id and code, and where its charge is. */
export interface OrderView extends ChargeView {
  code: string
  chargeId: string
}

/** Reads an order of core v5. Throws ProviderError `protocol` where it is not one. */
export function readOrder(body: unknown): OrderView {
  const order = objectOf(body, 'an order')
  const [first] = listOf(order['charges'])
  const charge = objectOf(first, 'a charge')
  const chargeId = textOf(charge['id'])
  const status = statusOf(charge)
  const received = receivedPaymentOf(charge, chargeId)
  return {
    code: textOf(order['code']),
    chargeId,
    status,
    providerStatus: textOf(order['status']),
    expiresAt: undefined,
    data: keep(order, ORDER) as ChargeData,
    refusal: status === 'refused' ? refusalOf(charge) : undefined,
    cardOnFile: cardOnFileOf(order, charge),
    receivedPayments: received ? [received] : [],
  }
}

/** Where the payer of an order proves to the issuer who he is, as long as that is waited for; undefined where it is not. */
export function challengeOf(order: unknown): string | undefined {
  const [first] = Array.isArray(optional(order)['charges']) ? (optional(order)['charges'] as unknown[]) : []
  const charge = optional(first)
  const url = optional(charge['last_transaction'])['threed_authentication_url']
  return charge['status'] === 'pending' && typeof url === 'string' && isHttpUrl(url) ? url : undefined
}

/** What an order shows of the card that pays it; undefined where it names none. */
export function shownCardOf(order: unknown): ShownCard | undefined {
  const { charges } = optional(order)
  const [first] = Array.isArray(charges) ? (charges as unknown[]) : []
  const card = optional(optional(optional(first)['last_transaction'])['card'])
  const { last_four_digits: lastFourDigits, brand, holder_name: holderName } = card
  if (typeof lastFourDigits !== 'string') return undefined
  return {
    brand: typeof brand === 'string' ? brand : null,
    lastFourDigits,
    holderName: typeof holderName === 'string' ? holderName : null,
  }
}

function refusalOf(charge: Json): RefusalCode {
  const transaction = optional(charge['last_transaction'])
  // The issuer has sent its payer away before any acquirer was asked.
  const isUnanswered = transaction['acquirer_return_code'] == null
  if (isUnanswered && typeof transaction['threed_authentication_url'] === 'string') return 'authentication_failed'
  return cardRefusal(transaction['acquirer_return_code'], optional(transaction['antifraud_response'])['status'])
}

/** The processor keeps a customer's cards, under ids that stay out of what callers see: anyone who knows one may charge it. */
function cardOnFileOf(order: Json, charge: Json): CardOnFile | undefined {
  const transaction = optional(charge['last_transaction'])
  const customerId = optional(order['customer'])['id']
  const cardId = optional(transaction['card'])['id']
  const descriptor = transaction['statement_descriptor']
  if (typeof customerId !== 'string' || typeof cardId !== 'string') return undefined
  return { customerId, cardId, statementDescriptor: typeof descriptor === 'string' ? descriptor : null }
}

/** How much of a charge was voided or refunded; a decimal string. Throws ProviderError `protocol`. */
export function canceledAmountOf(body: unknown): string {
  return fromBaseUnits(canceledOf(objectOf(body, 'a charge')), 2)
}

/** The same of an answer that need not say it; undefined where it does not. */
export function shownCanceledOf(body: unknown): string | undefined {
  const { canceled_amount: canceled } = optional(body)
  return typeof canceled === 'number' && Number.isSafeInteger(canceled) ? fromBaseUnits(BigInt(canceled), 2) : undefined
}

/** When the processor had changed a charge last, as far as an answer says; undefined where it does not. Throws ProviderError `protocol`. */
export function changedAtOf(body: unknown): Date | undefined {
  const { updated_at: changedAt } = optional(body)
  return changedAt === undefined ? undefined : dateOf(changedAt)
}

/** In cents. Of a charge that is canceled whole the processor need not say how much. */
function canceledOf(charge: Json): bigint {
  const { canceled_amount: canceled, status } = charge
  return centsOf(canceled ?? (status === 'canceled' ? paidOf(charge) : 0))
}

const paidOf = (charge: Json): unknown => charge['paid_amount'] ?? charge['amount']

/** The orders of a list. */
export function readOrders(body: unknown): unknown[] {
  return listOf(objectOf(body, 'a list')['data'])
}

/** How many a list has on all of its pages; no end where it does not say. */
export function countOfList(body: unknown): number {
  const { total } = optional(optional(body)['paging'])
  return typeof total === 'number' ? total : Infinity
}

/**
 * What the statuses of charge, transaction and antifraud come to (docs.pagar.me). A refusal by issuer or antifraud is
 * `refused`; what fails otherwise is technical. A transaction `with_error` whose charge is in processing is still tried.
 */
function statusOf(charge: Json): ChargeView['status'] {
  const transaction = optional(charge['last_transaction'])
  const antifraud = optional(transaction['antifraud_response'])['status']
  switch (textOf(charge['status'])) {
    case 'paid':
    case 'overpaid':
    case 'underpaid':
    case 'chargedback':
      return 'paid'
    case 'pending':
    case 'processing':
      return antifraud === 'reproved' ? 'refused' : 'open'
    case 'canceled':
      return typeof charge['paid_at'] === 'string' ? 'paid' : antifraud === 'reproved' ? 'refused' : 'cancelled'
    case 'failed':
      return antifraud === 'reproved' || transaction['status'] === 'not_authorized' ? 'refused' : 'failed'
    default:
      throw notCard('an unknown charge status')
  }
}

/** Money that came by a charge. Of refunds the processor tells how much there were in all; a chargeback takes what they left. */
function receivedPaymentOf(charge: Json, chargeId: string): ReceivedPayment | undefined {
  const { paid_at: paidAt, status } = charge
  if (typeof paidAt !== 'string') return undefined
  const paid = centsOf(paidOf(charge))
  const canceled = canceledOf(charge)
  const taken = status === 'chargedback' && paid > canceled ? paid - canceled : 0n
  const refunds: Refund[] = []
  if (taken > 0n) {
    const amount = fromBaseUnits(taken, 2)
    refunds.push({ id: 'chargeback', amount, status: 'done', forced: true, reason: 'chargeback' })
  }
  const refundedAmount = fromBaseUnits(canceled, 2)
  const changedAt = changedAtOf(charge)
  return { id: chargeId, amount: fromBaseUnits(paid, 2), at: dateOf(paidAt), refunds, refundedAmount, changedAt }
}

/** Texts that people or acquirers write. */
const FREE_TEXTS: ReadonlySet<string> = new Set(['acquirer_message', 'holder_name', 'message', 'return_message'])

/** The fields that a shape names. */
function keep(value: Json, shape: Shape): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(shape)) {
    const given = value[name]
    if (given === undefined) continue
    if (inner === true) {
      if (isPlain(given))
        kept[name] = typeof given === 'string' && FREE_TEXTS.has(name) ? withoutCardNumbers(given) : given
    } else if (isList(inner)) {
      const [item] = inner
      if (Array.isArray(given)) kept[name] = given.map((one) => keep(optional(one), item))
    } else if (typeof given === 'object' && given !== null) {
      kept[name] = keep(optional(given), inner)
    }
  }
  return kept
}

function isList(shape: Shape | readonly [Shape]): shape is readonly [Shape] {
  return Array.isArray(shape)
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** A token of `POST /tokens`, with what may be shown of its card. Throws ProviderError `protocol`. */
export function readToken(body: unknown) {
  const token = objectOf(body, 'a token')
  const card = objectOf(token['card'], 'a card')
  const text = (name: string): string => (typeof card[name] === 'string' ? card[name] : '')
  return {
    id: textOf(token['id']),
    createdAt: dateOf(token['created_at']),
    expiresAt: dateOf(token['expires_at']),
    card: {
      firstSixDigits: text('first_six_digits'),
      lastFourDigits: text('last_four_digits'),
      holderName: withoutCardNumbers(text('holder_name')),
      brand: text('brand'),
      expMonth: Number(card['exp_month']),
      expYear: Number(card['exp_year']),
    },
  }
}

function centsOf(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw notCard('an amount that is none')
  return BigInt(value)
}

function optional(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
