import type { JobRequest } from '../../../../kernel/jobs.js'
import { PUBLISH_EVENT } from '../../model/publish-event.js'
import type { StoredRefund } from '../../store/charge.entity.js'

/** The events of a refund, by their sequence: it is made, and it ends. */
export const REFUND_EVENTS = { created: 1, ended: 2 } as const

/** Tells the tenant of a refund. */
export function refundEventJob(
  { tenantId, refundId }: Pick<StoredRefund, 'tenantId' | 'refundId'>,
  event: keyof typeof REFUND_EVENTS,
): JobRequest {
  const payload = { tenantId, source: 'refunds', resourceId: refundId, sequence: REFUND_EVENTS[event] }
  return { name: PUBLISH_EVENT, payload }
}
