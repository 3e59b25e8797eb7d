/** A payment may bring its subscription's terms itself. */
export const allowSubscriptionsWithoutOrder = [
  'alter table payments.subscription alter column order_code drop not null',
]
