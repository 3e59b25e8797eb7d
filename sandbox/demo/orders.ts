import type { DemoWorld } from './demo.js'

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
export function tenantData({ sandbox, webhooks }: DemoWorld): object {
  return { public_client_id: sandbox.public_client_id, webhook_url: webhooks.url }
}

/** Registers a payment. @param terms beside the usual ones. @returns its id */
export async function registerPayment(world: DemoWorld, terms: object): Promise<string> {
  const body = { ...TERMS, tenant_data: tenantData(world), ...terms }
  const payment = await world.call('POST', '/payment/register/intents-create-order', body)
  return String(payment['payment_id'])
}

/**
 * Registers a payment from an order of this name, because its payer needs no identity verification.
 * @param terms of the order, beside the usual ones
 * @returns the payment's id
 */
export async function registerFromOrder(world: DemoWorld, name: string, terms: object): Promise<string> {
  const { call } = world
  const { orders } = await call('GET', '/order/list?limit=100')
  const known = (orders as { id: string; order_items: { name: string }[] }[]).find(
    ({ order_items: items }) => items[0]?.name === name,
  )
  const items = [{ name, quantity: 1, description: 'Shown by npm run demo', image_url: 'https://example.com/demo.png' }]
  // An account has 20 orders at most, so the demo uses its own again.
  const orderId =
    known?.id ?? (await call('POST', '/order/create', { ...TERMS, order_items: items, ...terms }))['order_id']
  const body = { order_code: orderId, tenant_data: tenantData(world) }
  const payment = await call('POST', '/payment/register/intents-create-order', body)
  return String(payment['payment_id'])
}
