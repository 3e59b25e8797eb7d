export const createAccounts = [
  `create table accounts.tenant (
      id text not null primary key,
      name text not null,
      products text[] not null,
      created_at timestamptz(3) not null
    )`,
  // The one table whose key does not start with the tenant: the gateway finds the tenant by it.
  `create table accounts.api_key (
      id text not null primary key,
      tenant_id text,
      hash text not null unique,
      prefix text not null,
      name text not null,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      created_at timestamptz(3) not null
    )`,
  'create index on accounts.api_key (tenant_id, id)',
  `create table accounts.integration (
      tenant_id text not null,
      public_client_id text not null unique,
      webhook_secret text not null,
      previous_webhook_secret text,
      previous_until timestamptz(3),
      webhook_url text,
      is_default boolean not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, public_client_id)
    )`,
  'create unique index on accounts.integration (tenant_id) where is_default',
]
