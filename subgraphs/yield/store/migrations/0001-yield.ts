export const createYield = [
  `create table yield.relay (
      tenant_id text not null,
      signature text not null,
      chain_name text not null,
      wire text not null,
      state text not null check (state in ('stored', 'confirmed', 'failed')),
      slot bigint,
      error jsonb,
      created_at timestamptz(3) not null,
      primary key (tenant_id, signature)
    )`,
]
