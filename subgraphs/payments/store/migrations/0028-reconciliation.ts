/** How far each reconciliation has come, and what it looks up. */
export const reconcile = [
  `create table payments.reconciliation (
      scope text primary key,
      first_block bigint,
      block_number bigint,
      begun_at timestamptz(3) not null,
      ended_at timestamptz(3),
      skipped text
    )`,
  `create index on payments.treasury_transaction (chain_name, account, block_number)
      where state = 'confirmed'`,
  'create index on payments.receipt (rail, received_at)',
  `create index on payments.payout (chain_name, lower(receiver), symbol) where state = 'confirmed'`,
]
