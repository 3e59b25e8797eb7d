import {
  antifraudOutcome,
  isExpired,
  outcomeOf,
  outcomeOnFile,
  shownCard,
  type CardOutcome,
  type SentCard,
} from './cards.js'
import type { SentOrder } from './check-order.js'
import type { Payer } from './order.js'
import { objectOf, textOf, type Json, type Problems } from './read.js'
import type { CardStore, StoredCustomer } from './store.js'

/**
 * Finds who pays an order with which card; a card that is new is saved with its customer.
 * @returns `missing` where an id names nothing, `problems` of a token that cannot be used
 */
export function findPayer(
  store: CardStore,
  sent: SentOrder,
  now: Date,
): Payer | { missing: string } | { problems: Problems } {
  const customer = customerOf(store, sent.customer)
  if (!customer) return { missing: 'Customer' }
  const antifraud = antifraudOutcome(textOf(customer['document']) ?? '')
  if ('cardId' in sent.card) {
    const { cardId } = sent.card
    // A card is its customer's: for anybody else it does not exist.
    const saved = store.cards.find(({ id, customerId }) => id === cardId && customerId === customer.id)
    if (!saved) return { missing: 'Card' }
    const { exp_month: expMonth, exp_year: expYear } = saved.shown
    const isOver = isExpired({ expMonth: Number(expMonth), expYear: Number(expYear) }, now)
    const outcome = antifraud ?? (isOver ? 'refused' : saved.outcome)
    return { customer: { ...customer }, card: saved.shown, outcome }
  }
  const card = 'token' in sent.card ? cardOfToken(store, sent, sent.card.token, now) : sent.card
  if (!card) return { problems: { 'order.payments[0].credit_card.card_token': ['Token not found.'] } }
  const asked = outcomeOf(card, textOf(customer['document']) ?? '')
  // An issuer that wants to see its payer refuses where he is sent nowhere.
  const outcome = asked === 'challenged' && !sent.creditCard['authentication'] ? 'refused' : asked
  return { customer: { ...customer }, card: saveCard(store, customer, card), outcome }
}

/** The customer of an id; or that of the e-mail address, with the fields that were sent now. */
function customerOf(store: CardStore, sent: SentOrder['customer']): StoredCustomer | undefined {
  const { customers } = store
  if ('customerId' in sent) return customers.find(({ id }) => id === sent['customerId'])
  const { email } = sent as Json
  const known = customers.find((customer) => customer['email'] === email)
  if (known) return Object.assign(known, sent)
  const customer = { id: store.newId('cus'), ...sent }
  customers.push(customer)
  return customer
}

/** The card of a token, which is used up by it. */
function cardOfToken(store: CardStore, { creditCard }: SentOrder, id: string, now: Date): SentCard | undefined {
  const token = store.tokens.get(id)
  store.tokens.delete(id)
  if (!token || token.expiresAt <= now.getTime()) return undefined
  return { ...token.card, billingAddress: objectOf(objectOf(creditCard['card'])['billing_address']) }
}

function saveCard(store: CardStore, customer: StoredCustomer, card: SentCard): Json {
  const id = store.newId('card')
  const shown = { id, ...shownCard(card), billing_address: card.billingAddress }
  const outcome: CardOutcome = outcomeOnFile(card)
  store.cards.push({ id, customerId: customer.id, shown, outcome })
  return shown
}
