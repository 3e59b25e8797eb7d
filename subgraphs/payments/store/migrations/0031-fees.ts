export const addFees = [
  `create table payments.tenant_fee (
      tenant_id text not null,
      rail text not null,
      percent numeric(4, 2) not null check (percent between 0 and 20),
      fixed numeric(6, 2) not null check (fixed between 0 and 1000),
      spread_percent numeric(4, 2) not null check (spread_percent between 0 and 10),
      primary key (tenant_id, rail)
    )`,
  'create table payments.gas_recovery (tenant_id text primary key)',
  `alter table payments.quote add column fee_amount text not null default '0',
      add column spread_amount text not null default '0'`,
  'alter table payments.receipt add column provider_fee text',
]
