/** The statuses of a verification, as ours. */
export const KYC_STATUSES = ['pending', 'in_review', 'approved', 'declined', 'abandoned', 'expired'] as const
export type KycStatus = (typeof KYC_STATUSES)[number]

/** Statuses in which the session is still open: no other one is begun meanwhile. */
const OPEN_STATUSES: ReadonlySet<KycStatus> = new Set(['pending', 'in_review'])

/** Whether a session of this status can still be resumed. */
export function isOpen(status: KycStatus): boolean {
  return OPEN_STATUSES.has(status)
}

/** A person's status now: an approval holds for a time only. */
export function statusNow(person: { status: KycStatus; approvedUntil: Date | null }, now: Date): KycStatus {
  const { status, approvedUntil } = person
  return status === 'approved' && approvedUntil !== null && approvedUntil <= now ? 'expired' : status
}

/** Until when a status holds that the provider tells now, also at a session's creation; null where time does not end it. */
export function approvalEnd(status: KycStatus, now: Date, approvalLifeMs: number): Date | null {
  return status === 'approved' ? new Date(now.getTime() + approvalLifeMs) : null
}
