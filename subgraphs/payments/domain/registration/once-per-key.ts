import type { Tenant } from '../../../../kernel/tenant.js'
import type { Payment } from '../../store/payment.entity.js'
import type { NewPaymentDeps } from './new-payment.js'

/**
 * Registers, and lets the earlier payment of the idempotency key answer where that is refused: a replay is not judged by
 * products, an order, settings or a webhook's address that changed since. The key is looked up only then, as the statement that
 * registers finds an earlier payment by itself.
 * @throws as `register`; idempotency_key_reused
 */
export async function oncePerKey(
  { payments }: Pick<NewPaymentDeps, 'payments'>,
  tenant: Tenant,
  register: () => Promise<Payment>,
): Promise<Payment> {
  try {
    return await register()
  } catch (error) {
    const earlier = await payments.firstAnswer(tenant)
    if (earlier) return earlier
    throw error
  }
}
