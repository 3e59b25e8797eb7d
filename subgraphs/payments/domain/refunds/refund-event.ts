import type { JobRequest } from '../../../../kernel/jobs.js'
import { PUBLISH_EVENT } from '../../model/publish-event.js'
import type { StoredRefund } from '../../store/charge.entity.js'

/** The events of a refund, by their sequence: it is made, it ends, and one that was done turns out to be another one (`standInFor`). */
export const REFUND_EVENTS = { created: 1, ended: 2, replaced: 3 } as const

/** Tells the tenant of a refund. */
export function refundEventJob(
  { tenantId, refundId }: Pick<StoredRefund, 'tenantId' | 'refundId'>,
  event: keyof typeof REFUND_EVENTS,
): JobRequest {
  const payload = { tenantId, source: 'refunds', resourceId: refundId, sequence: REFUND_EVENTS[event] }
  return { name: PUBLISH_EVENT, payload }
}
