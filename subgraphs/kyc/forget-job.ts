/** The job that has a provider forget a session of an erased person. */
export const FORGET_SESSION = 'forget-kyc-session'

/** SQL for the key of that job, from SQL for what names our row of the session. */
export function forgetJobKey(tenantId: string, id: string): string {
  return `'${FORGET_SESSION}:' || ${tenantId} || ':' || ${id}`
}
