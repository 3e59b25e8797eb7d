import { randomUUID } from 'node:crypto'
import type { Client } from './client.js'
import { newMark, newReceivers, REGISTER, tenantData, termsBody, type ChainName, type Terms } from './bodies.js'

/** Orders of a tenant, each used by one flow at a time: a flow makes an order say what it sells, and registers from it. */
export interface OrderShelf {
  /** An order for payments on a chain; undefined where all are in use and no more are kept. */
  take: (chain: ChainName) => Promise<string | undefined>
  giveBack: (chain: ChainName, orderId: string) => void
  /** Creates an order with these fields besides, e.g. for a subscription; undefined where the account has enough. */
  create: (terms: Terms, besides?: object) => Promise<string | undefined>
  /** Of an order that was deleted. */
  forget: () => void
}

/** An account takes 20 orders; some are left for flows that make their own. */
const KEPT_MAX: Readonly<Record<ChainName, number>> = { polygon: 5, solana: 4 }
const CREATED_MAX = 19

/** Opens the shelf of a tenant, empty. */
export function openOrderShelf(client: Client): OrderShelf {
  const free: Record<ChainName, string[]> = { polygon: [], solana: [] }
  const kept: Record<ChainName, number> = { polygon: 0, solana: 0 }
  let created = 0

  async function create(terms: Terms, besides: object = {}): Promise<string | undefined> {
    if (created >= CREATED_MAX) return undefined
    created += 1
    const answer = await client.call({
      method: 'POST',
      path: '/order/create',
      body: { ...termsBody(terms), order_items: [{ name: randomUUID(), quantity: 1 }], ...besides },
      rail: 'order',
      operation: 'create-order',
      idField: 'order_id',
    })
    return answer.status === 200 ? String(answer.data['order_id']) : undefined
  }

  return {
    create,
    take: async (chain) => {
      const orderId = free[chain].shift()
      if (orderId !== undefined || kept[chain] >= KEPT_MAX[chain]) return orderId
      kept[chain] += 1
      const receivers = newReceivers(client.random, chain, 'three')
      return create({ methods: { crypto: true }, chain, symbol: 'USDT', amount: '100', receivers })
    },
    giveBack: (chain, orderId) => {
      free[chain].push(orderId)
    },
    forget: () => {
      created -= 1
    },
  }
}

/**
 * Makes an order say what is sold, and registers a payment from it. The receivers are others, and always three: an order's
 * list is merged by index, so one that got shorter would not sum up.
 * @returns the payment's id; undefined where it was refused
 */
export async function registerFromOrder(
  client: Client,
  order: { orderId: string; rail: string; terms: Terms; besides?: object },
): Promise<string | undefined> {
  const { orderId, rail, besides = {} } = order
  const terms = { ...order.terms, receivers: newReceivers(client.random, order.terms.chain, 'three') }
  const { executor_id: _executor, gateway_method: _gateway, ...fields } = termsBody(terms)
  const patched = await client.call({
    method: 'PATCH',
    path: `/order/${orderId}`,
    body: { ...fields, ...besides },
    rail: 'order',
    operation: 'update-order',
    id: orderId,
  })
  if (patched.status !== 200) return undefined
  return register(client, rail, terms, { order_code: orderId })
}

/** Registers a payment without an order. @returns its id; undefined where it was refused */
export function registerDirect(client: Client, rail: string, terms: Terms): Promise<string | undefined> {
  return register(client, rail, terms, termsBody(terms))
}

async function register(client: Client, rail: string, terms: Terms, what: object): Promise<string | undefined> {
  const answer = await client.call({
    method: 'POST',
    path: REGISTER,
    body: { ...what, ...newMark(), ...tenantData(client.tenant) },
    ...{ rail, receivers: terms.receivers },
    operation: 'register-payment',
    idField: 'payment_id',
  })
  return answer.status === 201 ? String(answer.data['payment_id']) : undefined
}
