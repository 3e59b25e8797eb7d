export const pausePayouts = [
  `create table payments.payout_pause (
      chain_name text not null,
      tenant_id text not null,
      reason text not null,
      since timestamptz(3) not null,
      primary key (chain_name, tenant_id)
    )`,
]
