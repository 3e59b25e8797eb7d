import type { Finding } from '../view.js'
import { finding, type CardOrder, type Check } from './evidence.js'

/** No card is charged without a payment that succeeds, and none twice. */
export const checkCards: Check = ({ cardOrders, charges, payments, journal }) => {
  const found: Finding[] = []
  const paymentOf = new Map(charges.filter(({ rail }) => rail === 'card').map((one) => [one.reference, one.payment_id]))
  const ofPayment = Map.groupBy(cardOrders, ({ code }) => paymentOf.get(code ?? '') ?? '')
  for (const { id, code } of ofPayment.get('') ?? []) {
    found.push(finding('once', `order ${id} (${code ?? ''}) at the card processor`, 'a payment', 'none'))
  }
  for (const { id, status, transaction_type: type } of payments) {
    const orders = ofPayment.get(id) ?? []
    const captured = orders.flatMap(chargesOf('paid'))
    const open = [...orders.flatMap(chargesOf('processing')), ...orders.flatMap(chargesOf('pending'))]
    if (captured.length > 1) found.push(finding('once', `card charges of payment ${id}`, 'one', captured.join(', ')))
    if (captured.length > 0 && status !== 'success') {
      found.push(finding('hangs', `payment ${id}, charged by ${captured.join(', ')}`, 'success', status))
    }
    if (type !== 'cardfiat' && type !== 'cardcrypto') continue
    if (captured.length === 0 && status === 'success') {
      found.push(finding('balances', `payment ${id}, success by card`, 'a captured charge', 'none'))
    }
    if (captured.length === 0 && open.length === 0 && status === 'pending') {
      found.push(finding('hangs', `payment ${id}, whose card charges have all ended`, 'an end', 'pending'))
    }
  }
  const isKnown = new Set(payments.map(({ id }) => id))
  const refused = journal.filter(({ operation, status }) => operation === 'create-transaction' && status === 404)
  for (const { id } of refused) {
    if (id !== undefined && isKnown.has(id)) found.push(finding('acknowledged', `payment ${id}`, 'found', '404'))
  }
  return Promise.resolve(found)
}

function chargesOf(status: string): (order: CardOrder) => string[] {
  return ({ charges }) => charges.filter((charge) => charge.status === status).map(({ id }) => id)
}
