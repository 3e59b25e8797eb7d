/** What is due is found tenant by tenant, and when the next one is: neither may read all that waits. */
export const findDuePayouts = [
  `create index payout_due on payments.payout (chain_name, tenant_id, not_before, created_at, payment_id, leg)
      where state = 'waiting'`,
  // Nothing reads in its order any more.
  'drop index if exists payments.payout_chain_name_created_at_payment_id_leg_idx',
]
