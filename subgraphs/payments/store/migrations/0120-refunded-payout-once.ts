/**
 * A payout that a refund has taken whole explains one transfer: two comparisons at once cannot both take it. Of two that have, the first one
 * keeps it. The index takes the place of one that was not unique.
 */
export const explainPayoutsOnce = [
  `update payments.difference as later set refunded_payout = null where refunded_payout is not null
    and exists (select from payments.difference as one where one.refunded_payout = later.refunded_payout and one.id < later.id)`,
  'drop index concurrently if exists payments.difference_refunded_payout_once',
  `create unique index concurrently difference_refunded_payout_once on payments.difference (refunded_payout)
    where refunded_payout is not null`,
  'drop index concurrently if exists payments.difference_refunded_payout_idx',
] as const
