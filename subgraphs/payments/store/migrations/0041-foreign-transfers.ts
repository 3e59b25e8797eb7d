/** What treasuries have sent that the database did not know, as after it was restored; and how far that is known. */
export const addForeignTransfers = [
  `create table payments.treasury_cursor (
      chain_name text not null,
      account text not null,
      nonce int not null,
      block_number bigint,
      signature text,
      coins_until timestamptz(3),
      primary key (chain_name, account)
    )`,
  `create table payments.foreign_transfer (
      chain_name text not null,
      hash text not null,
      log_index int not null,
      account text not null,
      receiver text not null,
      symbol text not null,
      amount numeric not null,
      left_amount numeric not null,
      block_number bigint not null,
      mined_at timestamptz(3) not null,
      batch_id text,
      primary key (chain_name, hash, log_index)
    )`,
  `create index on payments.foreign_transfer (chain_name, lower(receiver), symbol) where left_amount > 0`,
]
