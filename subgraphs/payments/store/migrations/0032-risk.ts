export const addRisk = [
  `create table payments.tenant_limit (
      tenant_id text not null,
      currency text not null,
      per_payment numeric(30, 18) check (per_payment > 0),
      per_payer_day numeric(30, 18) check (per_payer_day > 0),
      per_tenant_day numeric(30, 18) check (per_tenant_day > 0),
      primary key (tenant_id, currency)
    )`,
  // Payers as keyed hashes of what names them; one row for each payment that counts against a limit.
  `create table payments.limit_use (
      tenant_id text not null,
      payment_id text not null,
      currency text not null,
      amount numeric(60, 18) not null,
      payers text[] not null,
      used_at timestamptz(3) not null,
      primary key (tenant_id, payment_id)
    )`,
  'create index on payments.limit_use (tenant_id, currency, used_at)',
  `create table payments.payout_delay (
      tenant_id text not null,
      rail text not null,
      minutes int not null check (minutes between 1 and 259200),
      primary key (tenant_id, rail)
    )`,
  'create table payments.third_party_refusal (tenant_id text primary key)',
  `create table payments.treasury_cap (
      chain_name text not null,
      symbol text not null,
      per_payout numeric(60, 18) check (per_payout > 0),
      per_day numeric(60, 18) check (per_day > 0),
      primary key (chain_name, symbol)
    )`,
  'alter table payments.payout add column hold_reason text',
  'create index on payments.payout (chain_name, symbol, created_at)',
  `create index on payments.payout (created_at) where state = 'held' or hold_reason is not null`,
]
