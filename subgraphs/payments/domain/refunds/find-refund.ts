import { AppError } from '../../../../kernel/errors.js'
import { isId } from '../../../../kernel/ids.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { PaymentRefund } from '../../model/refund.js'
import type { Stores } from '../../store/stores.js'
import { REFUND_EVENTS } from './refund-event.js'

/** What finding a refund needs. */
export type FindRefundDeps = Pick<Stores, 'refunds'>

/** A refund of the tenant. Throws `refund_not_found`, also for one of another tenant. */
export async function findRefund(deps: FindRefundDeps, tenant: Tenant, { id }: { id: string }): Promise<PaymentRefund> {
  const refund = isId(id) ? await deps.refunds.find(tenant.id, id) : undefined
  if (!refund) throw new AppError('refund_not_found')
  return refund
}

/** The refund as it was after an event; undefined where there is no such event. */
export async function findRefundAt(
  deps: FindRefundDeps,
  tenant: Tenant,
  { id, sequence }: { id: string; sequence: number },
): Promise<PaymentRefund | undefined> {
  const refund = await deps.refunds.find(tenant.id, id)
  if (!refund) return undefined
  const { status, createdAt, isReplaced = false } = refund
  if (sequence === REFUND_EVENTS.created) return { ...refund, status: 'pending', updatedAt: createdAt }
  if (sequence === REFUND_EVENTS.replaced) return isReplaced ? refund : undefined
  if (sequence !== REFUND_EVENTS.ended || status === 'pending') return undefined
  return isReplaced ? { ...refund, status: 'succeeded' } : refund
}
