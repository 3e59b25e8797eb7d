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

/** What an idempotency key answers with: a payment as it was after the event that the request wrote. */
export interface PaymentVersion {
  paymentId: string
  sequence: number
}

/** A payment of the tenant as it was after an event. Throws `payment_not_found`. */
export async function findPaymentVersion(
  deps: FindPaymentDeps,
  tenant: Tenant,
  { paymentId, sequence }: PaymentVersion,
): Promise<Payment> {
  const payment = await deps.payments.findAt(tenant.id, paymentId, sequence)
  if (!payment) throw new AppError('payment_not_found')
  return payment
}
