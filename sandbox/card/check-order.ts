import { checkAddress, readCard } from './check-card.js'
import type { SentCard } from './cards.js'
import { listOf, needTexts, note, objectOf, textOf, type Json, type Problems } from './read.js'

/** The longest text on the payer's statement for customers of the processor's own acquirer (PSP). */
const DESCRIPTOR_MAX = 13

/** An order that the processor takes. */
export interface SentOrder {
  code: string | null
  amount: number
  items: Json[]
  /** With its fields, or the id of one that the processor knows. */
  customer: Json | { customerId: string }
  creditCard: Json
  split: Json[]
  /** The card itself, the token that stands for it, or the id of one on file. */
  card: SentCard | { token: string } | { cardId: string }
}

/** Reads the body of `POST /orders`, noting everything that the processor refuses. */
export function readOrder(body: Json, now: Date, problems: Problems): SentOrder | undefined {
  const items = listOf(body['items']).map(objectOf)
  checkItems(items, problems)
  const customerId = textOf(body['customer_id'])
  const customer = objectOf(body['customer'])
  if (customerId === undefined) checkCustomer(customer, problems)
  const payments = listOf(body['payments']).map(objectOf)
  const [payment = {}] = payments
  if (payments.length !== 1) note(problems, 'order.payments', 'The field payments must have one payment.')
  if (payment['payment_method'] !== 'credit_card') {
    note(problems, 'order.payments[0].payment_method', 'The field payment_method is invalid.')
  }
  const amount = items.reduce((sum, item) => sum + Number(item['amount']) * Number(item['quantity']), 0)
  if (payment['amount'] !== undefined && payment['amount'] !== amount) {
    note(problems, 'order.payments[0].amount', 'The sum of payments must be the amount of the order.')
  }
  const creditCard = objectOf(payment['credit_card'])
  const card = checkCreditCard(creditCard, now, problems)
  const split = listOf(payment['split']).map(objectOf)
  if (payment['split'] !== undefined) checkSplit(split, amount, problems)
  if (Object.keys(problems).length > 0 || !card) return undefined
  const payer = customerId === undefined ? customer : { customerId }
  return { code: textOf(body['code']) ?? null, amount, items, customer: payer, creditCard, split, card }
}

function checkItems(items: readonly Json[], problems: Problems): void {
  if (items.length === 0) note(problems, 'order.items', 'The field items is required.')
  for (const [index, item] of items.entries()) {
    const path = `order.items[${index}]`
    for (const name of ['amount', 'quantity']) {
      const value = item[name]
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
        note(problems, `${path}.${name}`, `The field ${name} must be greater than or equal to 1.`)
      }
    }
    needTexts(problems, path, item, ['description', 'code'])
  }
}

function checkCustomer(customer: Json, problems: Problems): void {
  needTexts(problems, 'order.customer', customer, ['name', 'email', 'document'])
  const type = customer['document_type']
  if (type !== 'CPF' && type !== 'CNPJ' && type !== 'PASSPORT') {
    note(problems, 'order.customer.document_type', 'The field document_type is invalid.')
  }
  const phones = Object.values(objectOf(customer['phones'])).map(objectOf)
  if (phones.length === 0) note(problems, 'order.customer.phones', 'At least one customer phone is required.')
  for (const phone of phones) {
    for (const name of ['country_code', 'area_code', 'number']) {
      if (!/^\d+$/.test(textOf(phone[name]) ?? '')) {
        note(problems, `order.customer.phones.${name}`, `The field ${name} is invalid.`)
      }
    }
  }
  checkAddress(customer['address'], 'order.customer.address', problems)
}

function checkCreditCard(given: Json, now: Date, problems: Problems): SentOrder['card'] | undefined {
  const path = 'order.payments[0].credit_card'
  const { installments } = given
  if (typeof installments !== 'number' || !Number.isInteger(installments) || installments < 1 || installments > 24) {
    note(problems, `${path}.installments`, 'The field installments is invalid.')
  }
  const descriptor = textOf(given['statement_descriptor'])
  if (descriptor !== undefined && descriptor.length > DESCRIPTOR_MAX) {
    note(problems, `${path}.statement_descriptor`, `The field statement_descriptor has more than ${DESCRIPTOR_MAX}.`)
  }
  const cycle = given['recurrence_cycle']
  if (cycle !== undefined && cycle !== 'first' && cycle !== 'subsequent') {
    note(problems, `${path}.recurrence_cycle`, 'The field recurrence_cycle is invalid.')
  }
  checkAuthentication(given['authentication'], `${path}.authentication`, problems)
  const cardId = textOf(given['card_id'])
  // A card on file has its billing address with it.
  if (cardId !== undefined) return { cardId }
  const token = textOf(given['card_token'])
  const card = objectOf(given['card'])
  checkAddress(card['billing_address'], `${path}.card.billing_address`, problems)
  if (token !== undefined) {
    if (card['number'] !== undefined) note(problems, `${path}.card`, 'Send card or card_token, not both.')
    return { token }
  }
  return readCard(card, `${path}.card`, now, problems)
}

/** 3-D Secure by the processor: where the payer comes back to. */
function checkAuthentication(given: unknown, path: string, problems: Problems): void {
  if (given === undefined) return
  const { type, threed_secure: secure } = objectOf(given)
  if (type !== 'threed_secure') note(problems, `${path}.type`, 'The field type is invalid.')
  if (!URL.canParse(textOf(objectOf(secure)['success_url']) ?? '')) {
    note(problems, `${path}.threed_secure.success_url`, 'The field success_url is invalid.')
  }
}

function checkSplit(split: readonly Json[], amount: number, problems: Problems): void {
  const path = 'order.payments[0].split'
  for (const [index, rule] of split.entries()) {
    if (!/^r[ep]_[A-Za-z0-9]+$/.test(textOf(rule['recipient_id']) ?? '')) {
      note(problems, `${path}[${index}].recipient_id`, 'Recipient not found.')
    }
    const share = rule['amount']
    if (typeof share !== 'number' || !Number.isInteger(share) || share < 1) {
      note(problems, `${path}[${index}].amount`, 'The field amount must be a whole number, 1 at least.')
    }
  }
  const types = new Set(split.map(({ type }) => type))
  if (types.size !== 1 || !(types.has('flat') || types.has('percentage'))) {
    note(problems, path, 'All split rules must be of one type, flat or percentage.')
  }
  const total = split.reduce((sum, rule) => sum + Number(rule['amount']), 0)
  if (total !== (types.has('percentage') ? 100 : amount)) {
    note(problems, path, 'The sum of the split rules is not the amount of the payment.')
  }
  for (const flag of ['liable', 'charge_processing_fee', 'charge_remainder_fee']) {
    if (!split.some((rule) => objectOf(rule['options'])[flag] === true)) {
      note(problems, path, `At least one recipient must have ${flag}.`)
    }
  }
}
