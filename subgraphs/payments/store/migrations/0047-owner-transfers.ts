/** What an operator has said of transactions: that the owner has put something into a treasury, or taken it out. */
export const addOwnerTransfers = [
  `create table payments.owner_transfer (
      id text primary key,
      chain_name text not null,
      hash text not null,
      reason text not null,
      ordered_by text not null,
      ordered_at timestamptz(3) not null,
      state text not null default 'ordered' check (state in ('ordered', 'done', 'refused')),
      result text,
      ended_at timestamptz(3),
      block_number bigint,
      entries text[] not null default '{}',
      check ((state = 'ordered') = (ended_at is null)),
      check (state <> 'done' or block_number is not null)
    )`,
  // One that was refused may be ordered again, e.g. once its block is final.
  `create unique index on payments.owner_transfer (chain_name, hash) where state <> 'refused'`,
  `create index on payments.owner_transfer (chain_name, block_number) where state = 'done'`,
]
