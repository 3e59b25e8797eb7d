import { derivedId } from '../../../kernel/ids.js'
import type { Subscription } from '../store/subscription.entity.js'

/** The id that a period's payment has where it counts as registered at a time, whenever and however often it is registered. */
export function periodPaymentId(
  { tenantId, firstPaymentId }: Pick<Subscription, 'tenantId' | 'firstPaymentId'>,
  period: number,
  registeredAt: Date,
): string {
  return derivedId(registeredAt, ['period', tenantId, firstPaymentId, String(period)])
}
