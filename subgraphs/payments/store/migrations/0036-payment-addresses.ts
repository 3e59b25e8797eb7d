/** Payments that are paid by sending the token to an address of their own, and what has come there. */
export const addPaymentAddresses = [
  `alter table payments.payment add column received_amount text, add column overpaid_amount text,
      add column late boolean`,
  `create table payments.payment_address (
      tenant_id text not null,
      payment_id text not null,
      chain_name text not null,
      address text not null,
      split_version int not null,
      token text not null,
      decimals int not null,
      due numeric(78) not null check (due > 0),
      tolerance_percent numeric(4, 2) not null,
      from_block bigint not null,
      opened_block bigint not null,
      expires_at timestamptz(3) not null,
      watch_until timestamptz(3) not null,
      look_at timestamptz(3),
      shared numeric(78) not null default 0,
      booked numeric(78) not null default 0,
      primary key (tenant_id, payment_id, chain_name),
      unique (chain_name, address)
    )`,
  'create index on payments.payment_address (chain_name, watch_until)',
  'create index on payments.payment_address (chain_name, expires_at)',
  // Those that are looked at again though nothing comes, such as a part whose rest is waited for.
  `create index on payments.payment_address (chain_name, look_at) where look_at is not null`,
  `create table payments.deposit (
      chain_name text not null,
      hash text not null,
      log_index int not null,
      tenant_id text not null,
      payment_id text not null,
      sender text not null,
      amount numeric(78) not null,
      block_number bigint not null,
      block_hash text not null,
      mined_at timestamptz(3) not null,
      verdict text check (verdict in ('allowed', 'refused')),
      is_undone boolean not null default false,
      is_applied boolean not null default false,
      primary key (chain_name, hash, log_index)
    )`,
  'create index on payments.deposit (tenant_id, payment_id)',
  'create index on payments.deposit (chain_name) where not is_applied',
  'create index on payments.deposit (chain_name, block_number)',
  `create table payments.address_cursor (
      chain_name text not null,
      scope text not null check (scope in ('open', 'all')),
      block_number bigint not null,
      block_hash text not null,
      primary key (chain_name, scope)
    )`,
  `create table payments.underpayment_tolerance (
      tenant_id text primary key,
      percent numeric(4, 2) not null check (percent > 0 and percent <= 10)
    )`,
]
