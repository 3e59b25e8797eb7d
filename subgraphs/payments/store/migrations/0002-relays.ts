export const createRelays = [
  `create table payments.relay (
      tenant_id text not null,
      payment_id text not null,
      hash text not null,
      chain_name text not null,
      raw text not null,
      state text not null check (state in ('stored', 'sent', 'final')),
      created_at timestamptz(3) not null,
      primary key (tenant_id, payment_id, hash)
    )`,
  // The operator belongs to the deployment: its nonces are one sequence for all tenants.
  `create table payments.operator_transaction (
      chain_name text not null,
      operator text not null,
      nonce int not null,
      purpose text not null,
      hash text not null,
      raw text not null,
      state text not null check (state in ('stored', 'final')),
      created_at timestamptz(3) not null,
      primary key (chain_name, operator, nonce)
    )`,
  `create unique index on payments.operator_transaction (chain_name, operator, purpose) where state = 'stored'`,
]
