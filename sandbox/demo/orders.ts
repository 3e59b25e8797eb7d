import { RefusedCall } from '../refused-call.js'
import type { DemoContext } from './demo.js'
import { verifyEmail } from './kyc.js'

/** What every payment of the demo is about: 100 BRL for USDT on polygon. */
export const TERMS = {
  executor_id: 'api_transaction',
  gateway_method: 'direct',
  from_currency_symbol: 'BRL',
  amount_from: '100',
  to_currency_symbol: 'USDT',
  to_chain: 'polygon',
  on_ramp: false,
}

/** The demo's tenant, and where its webhooks go, as `tenant_data` has it. */
export function tenantData({ sandbox, webhooks }: DemoContext): object {
  return { public_client_id: sandbox.public_client_id, webhook_url: webhooks.url }
}

/** Registers a payment. @param terms beside the usual ones. @returns its id */
export async function registerPayment(context: DemoContext, terms: object): Promise<string> {
  const body = { ...TERMS, tenant_data: tenantData(context), ...terms }
  const payment = await context.call('POST', '/payment/register/intents-create-order', body)
  return String(payment['payment_id'])
}

/** Who pays the demo's orders. */
export const PAYER_EMAIL = 'payer@example.com'

/**
 * Registers a payment from an order of this name, because its payer needs no identity verification. Where the account has
 * as many orders as it may, the payment is registered without one, for a payer who is verified then.
 * @param terms of the order, beside the usual ones
 * @returns the payment's id
 */
export async function registerFromOrder(context: DemoContext, name: string, terms: object): Promise<string> {
  const orderId = (await findOrder(context, name)) ?? (await createOrder(context, name, terms))
  if (orderId === undefined) {
    context.say('no order         the account has 20 already: the payer is verified instead')
    await verifyEmail(context, PAYER_EMAIL)
    return registerPayment(context, terms)
  }
  const body = { order_code: orderId, tenant_data: tenantData(context) }
  const payment = await context.call('POST', '/payment/register/intents-create-order', body)
  return String(payment['payment_id'])
}

/** The order of an earlier run, if it can still be paid: an account has 20 orders at most. */
async function findOrder({ call }: DemoContext, name: string): Promise<string | undefined> {
  const { orders } = await call('GET', '/order/list?limit=100')
  const known = (orders as { id: string; active: boolean; order_items: { name: string }[] }[]).find(
    ({ active, order_items: items }) => active && items[0]?.name === name,
  )
  return known?.id
}

/** @returns the id of the order; undefined where the account has as many as it may */
async function createOrder({ call }: DemoContext, name: string, terms: object): Promise<string | undefined> {
  const items = [{ name, quantity: 1, description: 'Shown by npm run demo', image_url: 'https://example.com/demo.png' }]
  try {
    const order = await call('POST', '/order/create', { ...TERMS, order_items: items, ...terms })
    return String(order['order_id'])
  } catch (error) {
    if (error instanceof RefusedCall && error.status === 'order_limit_reached') return undefined
    throw error
  }
}
