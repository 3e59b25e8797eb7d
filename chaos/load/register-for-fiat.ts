import type { Terms } from './bodies.js'
import { registerDirect, registerFromOrder } from './order-shelf.js'
import { chance } from '../random.js'
import type { FlowContext } from './flow-context.js'

/** A registered payment, and the e-mail address of a payer who may pay it. */
export interface Registered {
  id: string
  email: string
}

/** Registers what is paid in fiat: from an order, where nobody has to be verified, or for the tenant's verified payer. */
export async function registerForFiat(
  context: FlowContext,
  rail: string,
  terms: Terms,
): Promise<Registered | undefined> {
  const { client, orders, verifiedEmail } = context
  const prefersDirect = chance(client.random, 0.6)
  const email = verifiedEmail()
  const orderId = email !== undefined && prefersDirect ? undefined : await orders.take(terms.chain)
  if (orderId !== undefined) {
    const id = await registerFromOrder(client, { orderId, rail, terms })
    orders.giveBack(terms.chain, orderId)
    return id === undefined ? undefined : { id, email: 'payer@example.com' }
  }
  if (email === undefined) return undefined
  const id = await registerDirect(client, rail, terms)
  return id === undefined ? undefined : { id, email }
}
