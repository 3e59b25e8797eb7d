/** The references of Solana payments whose wallets were given something to sign: they are looked for on the chain. */
export const watchReferences = [
  `create table payments.watched_reference (
      tenant_id text not null,
      payment_id text not null,
      chain_name text not null,
      reference text not null,
      watch_until timestamptz(3) not null,
      seen text[] not null default '{}',
      primary key (tenant_id, payment_id, chain_name)
    )`,
  'create index on payments.watched_reference (chain_name, watch_until)',
]
