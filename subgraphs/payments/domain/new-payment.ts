import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentsDeps } from '../deps.js'
import type { Payment } from '../store/payment.entity.js'
import type { NewPayment } from '../store/payments.js'

/** What a payment is about, whether it came from a request or from an order. */
export type NewPaymentTerms = Omit<NewPayment, 'id' | 'tenantId' | 'createdAt'>

/**
 * Stores a registered payment with its first event, once per idempotency key.
 * @returns the payment as registered; the earlier one where the key was used before
 */
export async function storeNewPayment(deps: PaymentsDeps, tenant: Tenant, terms: NewPaymentTerms): Promise<Payment> {
  const payment: NewPayment = { ...terms, id: deps.newId(), tenantId: tenant.id, createdAt: deps.clock.now() }
  const stored = await deps.payments.register(tenant, payment)
  if (!stored.replayed) return deps.payments.asRegistered(payment)
  const first = await deps.payments.findAt(tenant.id, stored.id, 1)
  if (!first) throw new Error('an idempotency key names a payment that does not exist')
  return first
}
