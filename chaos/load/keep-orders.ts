import { newAmount, newReceivers, type Terms } from './bodies.js'
import { between } from '../random.js'
import type { FlowContext } from './flow-context.js'

/** A shop that looks after its orders: makes one, changes it, switches it off and on, and sometimes removes it. */
export async function keepOrders(context: FlowContext): Promise<void> {
  const { client, orders } = context
  const { random } = client
  const terms: Terms = {
    methods: { crypto: true },
    chain: 'polygon',
    symbol: 'USDT',
    amount: newAmount(random),
    receivers: newReceivers(random, 'polygon', 'several'),
  }
  const toggles = between(random, 1, 3)
  const changed = newAmount(random)
  const orderId = await orders.create(terms)
  if (orderId === undefined) {
    await client.call({ method: 'GET', path: '/order/list?limit=100', rail: 'order', operation: 'list-orders' })
    return
  }
  const about = { rail: 'order', id: orderId }
  const body = { amount_from: changed }
  await client.call({ method: 'PATCH', path: `/order/${orderId}`, body, ...about, operation: 'update-order' })
  for (let turn = 0; turn < toggles; turn += 1) {
    await client.call({ method: 'PATCH', path: `/order/${orderId}/toggle`, ...about, operation: 'toggle-order' })
  }
  await client.call({ method: 'GET', path: `/order/list/${orderId}`, ...about, operation: 'order' })
  const deleted = await client.call({
    method: 'DELETE',
    path: `/order/${orderId}`,
    ...about,
    operation: 'delete-order',
  })
  if (deleted.status < 300) orders.forget()
}
