import type { JobRequest } from '../../../kernel/jobs.js'
import type { Alert } from '../store/alerts.js'

export const RAISE_ALERT = 'raise-alert'

/** Tells the operator, once the transaction of what is to be told has been committed. */
export function alertJob(alert: Alert): JobRequest {
  return { name: RAISE_ALERT, payload: alert }
}
