import { hasRight, type Scope } from '../../../kernel/permissions.js'
import type { Caller } from '../../../kernel/tenant.js'
import type { EventSource } from './store/webhook.entity.js'

/** What it takes to read the resource whose record an event carries; a test carries none. */
const SCOPE_OF: Readonly<Record<EventSource, Scope | null>> = {
  payments: 'payments:read',
  subscriptions: 'payments:read',
  refunds: 'payments:read',
  orders: 'orders:read',
  kyc: 'kyc:read',
  tests: null,
}

/**
 * Whether a caller who may see deliveries may read what one of them carries: the body is the record of a payment, an order or
 * a verification, with its payer, so it takes what the record itself takes.
 */
export function mayReadBody(caller: Caller, source: EventSource): boolean {
  return hasRight(caller, SCOPE_OF[source])
}
