/**
 * The table of idempotency keys is one for all subgraphs, because a key is per tenant and not per subgraph; a row is
 * written in the transaction of the change it stands for, so neither exists without the other.
 */
const createIdempotencyKeys = [
  `create table kernel.idempotency_key (
      tenant_id text not null,
      key text not null,
      fingerprint text not null,
      answer jsonb,
      leased_until timestamptz,
      created_at timestamptz not null,
      primary key (tenant_id, key)
    )`,
  'create index on kernel.idempotency_key (created_at)',
]

const addIdempotencyClaims = [
  // Which request holds the key: one that has outlived its lease must not touch the key of the next one.
  'alter table kernel.idempotency_key add column claim text',
]

/** In the order in which they run; the names of what was released stay. */
export const IDEMPOTENCY_MIGRATIONS = [
  { name: '0001-idempotency-keys', statements: createIdempotencyKeys },
  { name: '0003-idempotency-claims', statements: addIdempotencyClaims },
] as const
