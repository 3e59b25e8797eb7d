import type { Tenant } from '../../../../kernel/tenant.js'
import type { Runtime } from '../../model/runtime.js'
import type { NewPayment, Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What storing a registered payment needs. */
export type NewPaymentDeps = Pick<Runtime, 'clock' | 'newId'> & Pick<Stores, 'payments'>

/** What a payment is about, whether it came from a request or from an order. */
export type NewPaymentTerms = Omit<NewPayment, 'id' | 'tenantId' | 'createdAt'>

/**
 * Stores a registered payment with its first event, once per idempotency key.
 * @returns the payment as registered; the earlier one where the key was used before
 */
export function storeNewPayment(deps: NewPaymentDeps, tenant: Tenant, terms: NewPaymentTerms): Promise<Payment> {
  return deps.payments.register(tenant, {
    ...terms,
    id: deps.newId(),
    tenantId: tenant.id,
    createdAt: deps.clock.now(),
  })
}
