export const addRefundReserve = [
  `create table payments.refund_reserve (
      tenant_id text primary key,
      percent numeric(4, 2) not null check (percent > 0 and percent <= 50)
    )`,
]
