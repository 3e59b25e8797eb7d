/** Approvals that a provider told at a session's creation had no end: they get the default life, from when they were written. */
export const endApprovals = [
  `update kyc.person set approved_until = updated_at + interval '365 days'
      where status = 'approved' and approved_until is null`,
]
