import { CARDS, cardFields, cardPayer } from '../../sandbox/demo/card-payer.js'
import { CREATE_TRANSACTION, newAmount, newReceivers, type Terms } from './bodies.js'
import { registerFromOrder } from './order-shelf.js'
import { pickNamed } from '../random.js'
import { untilEnd, type FlowContext } from './flow-context.js'

const RAIL = 'subscription'
/** When the first period after the first payment is due. */
const DUE_SECONDS = 12
/** So many orders of a tenant are subscriptions'. */
const ORDERS_MAX = 4

/** Starts subscriptions whose next period is due within the load's time. */
export function subscriptions(): (context: FlowContext) => Promise<void> {
  let made = 0
  return async (context) => {
    const { client, orders } = context
    const { random } = client
    const terms: Terms = {
      methods: { cardfiat: true },
      chain: 'polygon',
      symbol: 'USDT',
      amount: newAmount(random),
      receivers: newReceivers(random, 'polygon', 'three'),
    }
    const number = pickNamed(random, { [CARDS.paid]: 3, [CARDS.refusedOnFile]: 1 })
    if (made >= ORDERS_MAX) return
    made += 1
    const plan = () => ({
      subscription_payment_config: {
        ...{ plan_name: 'Gold', interval: 'weekly', charge: true, retry_count: 0 },
        next_payment_at: Math.floor(Date.now() / 1000) + DUE_SECONDS,
      },
    })
    const orderId = await orders.create(terms, { gateway_method: 'subs', ...plan() })
    if (orderId === undefined) return
    const id = await registerFromOrder(client, { orderId, rail: RAIL, terms, besides: plan() })
    if (id === undefined) return
    await client.call({
      method: 'POST',
      path: CREATE_TRANSACTION,
      body: {
        ...{ payment_id: id, transaction_type: 'cardfiat' },
        ...cardPayer('subscriber@example.com', { card: cardFields(number) }),
      },
      ...{ rail: RAIL, operation: 'create-transaction', id },
    })
    await untilEnd(context, RAIL, id, 60_000)
  }
}
