import { AppError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'

/** What finding a payment needs. */
export type FindPaymentDeps = Pick<Stores, 'payments'>

/** A payment of the tenant. Throws `payment_not_found`, also for one of another tenant. */
export async function findPayment(deps: FindPaymentDeps, tenant: Tenant, { id }: { id: string }): Promise<Payment> {
  const payment = isId(id) ? await deps.payments.find(tenant.id, id) : undefined
  if (!payment) throw new AppError('payment_not_found')
  return payment
}
