/** What was called confirmed, or called dead, is looked at again until nothing can change it: see `check_at` in the entities. */
export const followToFinality = [
  `alter table payments.treasury_transaction add column block_number int, add column block_hash text,
      add column check_at timestamptz(3)`,
  `create index on payments.treasury_transaction (chain_name, account, nonce) where check_at is not null`,
  'alter table payments.relay add column check_at timestamptz(3)',
  'create index on payments.relay (chain_name, check_at) where check_at is not null',
  'alter table payments.operator_transaction add column check_at timestamptz(3)',
  `create index on payments.operator_transaction (chain_name, operator, nonce) where check_at is not null`,
]
