/** A payout that a refund has taken whole explains one transfer: which one is kept. */
export const explainOnce = [
  'alter table payments.difference add column refunded_payout text',
  'create index on payments.difference (refunded_payout) where refunded_payout is not null',
]
