import type { JobRequest } from '../../../../kernel/jobs.js'
import { alertJob } from '../../settlement/alert-job.js'

/** Tells an operator that a renewal's payment is refused before its card is asked. @param details names the limit, or the wallet */
export function renewalRefused(paymentId: string, details: string | undefined): JobRequest {
  return alertJob({ kind: 'renewal_refused', subject: paymentId, ...(details !== undefined && { details }) })
}
