import type { KycStatus } from '../../domain/kyc-status.js'

/** Didit's session statuses, exact and case-sensitive (docs.didit.me, "Verification statuses"), in our words. */
const STATUS_OF: Readonly<Partial<Record<string, KycStatus>>> = {
  'Not Started': 'pending',
  'In Progress': 'pending',
  'Awaiting User': 'pending',
  Resubmitted: 'pending',
  'In Review': 'in_review',
  Approved: 'approved',
  Declined: 'declined',
  Expired: 'expired',
  Abandoned: 'abandoned',
  'Kyc Expired': 'expired',
}

/** Our word for a status of Didit's; undefined for one that we do not know, which must neither approve nor decline. */
export function statusOfDidit(status: string): KycStatus | undefined {
  return Object.hasOwn(STATUS_OF, status) ? STATUS_OF[status] : undefined
}
