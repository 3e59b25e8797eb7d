/** Plans can change: a price of their own, a rhythm from a later anchor, and terms that the payer has not agreed to yet. */
export const changePlans = [
  `alter table payments.subscription add column amount_from text,
      add column anchor_period int not null default 0, add column consent_from int`,
]
