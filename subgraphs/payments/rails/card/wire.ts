import { fromBaseUnits } from '../../../../kernel/money.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import type { CardOnFile, ChargeData, ChargeView, ReceivedPayment, Refund } from '../../model/charge.js'
import { withoutCardNumbers } from './card-number.js'

/** A JSON object of the processor. */
type Json = Readonly<Record<string, unknown>>

/**
 * What is shown and kept of an order: these fields by name, and nothing else, so that whatever the processor adds or
 * echoes stays out. Of the card that is its brand, last four digits and holder.
 */
type Shape = { readonly [name: string]: true | Shape | readonly [Shape] }

const CARD: Shape = { brand: true, last_four_digits: true, holder_name: true }
const SPLIT: Shape = {
  amount: true,
  type: true,
  recipient_id: true,
  recipient: { id: true, name: true },
  options: { liable: true, charge_processing_fee: true, charge_remainder_fee: true },
}
const TRANSACTION: Shape = {
  id: true,
  transaction_type: true,
  gateway_id: true,
  amount: true,
  status: true,
  success: true,
  installments: true,
  statement_descriptor: true,
  operation_type: true,
  acquirer_name: true,
  acquirer_tid: true,
  acquirer_nsu: true,
  acquirer_auth_code: true,
  acquirer_message: true,
  acquirer_return_code: true,
  card: CARD,
  gateway_response: { code: true, errors: [{ message: true }] },
  antifraud_response: { status: true, return_code: true, return_message: true, provider_name: true, score: true },
  split: [SPLIT],
  created_at: true,
  updated_at: true,
}
const CHARGE: Shape = {
  id: true,
  code: true,
  gateway_id: true,
  amount: true,
  paid_amount: true,
  canceled_amount: true,
  status: true,
  currency: true,
  payment_method: true,
  paid_at: true,
  canceled_at: true,
  created_at: true,
  updated_at: true,
  last_transaction: TRANSACTION,
}
const ORDER: Shape = {
  id: true,
  code: true,
  amount: true,
  currency: true,
  closed: true,
  status: true,
  items: [{ id: true, description: true, amount: true, quantity: true, code: true }],
  customer: { id: true },
  charges: [CHARGE],
  created_at: true,
  updated_at: true,
  closed_at: true,
}

/** An order's id and code, and where its charge is. */
export interface OrderView extends ChargeView {
  code: string
  chargeId: string
}

/**
 * Reads an order of core v5. The refund of a charge has no id of ours at the processor, so `refundIdOf` names it.
 * @throws ProviderError `protocol` where it is not one
 */
export function readOrder(body: unknown, refundIdOf: (receiptId: string) => string): OrderView {
  const order = objectOf(body, 'an order')
  const [first] = listOf(order['charges'])
  const charge = objectOf(first, 'a charge')
  const chargeId = textOf(charge['id'])
  const status = statusOf(charge)
  const received = receivedPaymentOf(charge, chargeId, refundIdOf(chargeId))
  return {
    code: textOf(order['code']),
    chargeId,
    status,
    providerStatus: textOf(order['status']),
    expiresAt: undefined,
    data: keep(order, ORDER) as ChargeData,
    cardOnFile: cardOnFileOf(order, charge),
    receivedPayments: received ? [received] : [],
  }
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

/** The orders of a list. */
export function readOrders(body: unknown): unknown[] {
  return listOf(objectOf(body, 'a list')['data'])
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

function receivedPaymentOf(charge: Json, chargeId: string, refundId: string): ReceivedPayment | undefined {
  const { paid_at: paidAt, status } = charge
  if (typeof paidAt !== 'string') return undefined
  const at = new Date(paidAt)
  if (Number.isNaN(at.getTime())) throw notCard('a time that is none')
  const paid = centsOf(charge['paid_amount'] ?? charge['amount'])
  const amount = fromBaseUnits(paid, 2)
  const refunds: Refund[] = []
  if (status === 'chargedback') {
    refunds.push({ id: 'chargeback', amount, status: 'done', forced: true, reason: 'chargeback' })
  } else if (status === 'canceled') {
    refunds.push({ id: refundId, amount, status: 'done', forced: false, reason: 'refund' })
  }
  return { id: chargeId, amount, at, refunds }
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
    type: 'card',
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

function dateOf(value: unknown): Date {
  const at = new Date(textOf(value))
  if (Number.isNaN(at.getTime())) throw notCard('a time that is none')
  return at
}

function centsOf(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw notCard('an amount that is none')
  return BigInt(value)
}

function objectOf(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notCard(`something other than ${what}`)
  return value as Json
}

function optional(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw notCard('something other than a list')
  return value
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw notCard('a text that is missing')
  return value
}

function notCard(what: string): ProviderError {
  return new ProviderError({ provider: 'card', kind: 'protocol', retryable: false, message: `card sent ${what}` })
}
