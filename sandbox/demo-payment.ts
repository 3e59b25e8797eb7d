import { RefusedCall } from './refused-call.js'

/** A request to the product itself, as the demo tenant. Gives the answer's envelope. */
export type CallProduct = (
  method: 'GET' | 'POST',
  path: string,
  body?: object,
) => Promise<{ status: string; data?: Record<string, unknown> }>

/** By what the demo's order is known again: a tenant has 20 at most. */
const FIRST_ITEM = 'Coffee beans 250 g'

/**
 * Registers a payment of the demo's order, which can be paid in every way. Where the tenant has as many orders as it may,
 * the payment has none, and who pays it in fiat has to be verified.
 * @param receiver who is paid on the sandbox's EVM chain
 * @returns the address of its page
 */
export async function demoPaymentLink(product: CallProduct, receiver: string, publicClientId: string): Promise<string> {
  const call = dataOf(product)
  const { payment_id: id } = await call('POST', '/payment/register/intents-create-order', {
    ...orderBody(receiver),
    order_code: await orderOf(call, receiver),
    tenant_data: { public_client_id: publicClientId, webhook_url: 'http://localhost:4001/webhooks' },
  })
  return String((await call('GET', `/payment/${String(id)}/status`))['session_payment'])
}

type CallForData = (...request: Parameters<CallProduct>) => Promise<Record<string, unknown>>

/** As `call`, but gives the answer's data. Throws RefusedCall where it has none. */
function dataOf(call: CallProduct): CallForData {
  return async (method, path, body) => {
    const envelope = await call(method, path, body)
    if (!envelope.data) throw new RefusedCall(`${method} ${path}`, envelope)
    return envelope.data
  }
}

/** The demo's order, made where it is not there; undefined where there is no room for it. */
async function orderOf(call: CallForData, receiver: string): Promise<string | undefined> {
  const { orders } = await call('GET', '/order/list?limit=100')
  const known = (orders as Order[]).find(({ active, order_items: items }) => active && items[0]?.name === FIRST_ITEM)
  if (known) return known.id
  try {
    return String((await call('POST', '/order/create', orderBody(receiver)))['order_id'])
  } catch (error) {
    if (error instanceof RefusedCall && error.status === 'order_limit_reached') return undefined
    throw error
  }
}

interface Order {
  id: string
  active: boolean
  order_items: readonly { name: string }[]
}

function orderBody(receiver: string): object {
  return {
    executor_id: 'api_transaction',
    from_currency_symbol: 'BRL',
    amount_from: '149.90',
    to_currency_symbol: 'USDT',
    to_chain: 'polygon',
    on_ramp: false,
    gateway_method: 'direct',
    payment_method_allowed: { crypto: true, pixcrypto: true, cardcrypto: true },
    split_payment_config: [{ receiver_wallet: receiver, receiver_percent: 100 }],
    order_items: [
      { name: FIRST_ITEM, quantity: 2, description: 'Medium roast' },
      { name: 'Mug', quantity: 1 },
    ],
  }
}
