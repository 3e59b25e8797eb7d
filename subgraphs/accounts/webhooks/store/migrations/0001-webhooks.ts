export const createWebhooks = [
  `create table accounts.webhook_delivery (
      tenant_id text not null,
      id text not null,
      source text not null check (source in ('payments', 'orders', 'kyc')),
      resource_id text not null,
      sequence int not null,
      type text not null,
      url text not null,
      public_client_id text,
      body text not null,
      state text not null check (state in ('pending', 'delivered', 'failed')),
      attempt_count int not null,
      failures int not null,
      started_at timestamptz(3) not null,
      next_attempt_at timestamptz(3),
      leased_until timestamptz(3),
      delivered_at timestamptz(3),
      created_at timestamptz(3) not null,
      primary key (tenant_id, id),
      unique (tenant_id, source, resource_id, sequence)
    )`,
  // Ids are time-ordered, so the primary key also serves the list, newest first; these serve its filters.
  'create index on accounts.webhook_delivery (tenant_id, resource_id, id)',
  `create index on accounts.webhook_delivery (tenant_id, state, id) where state <> 'delivered'`,
  'create index on accounts.webhook_delivery (next_attempt_at) where next_attempt_at is not null',
  `create table accounts.webhook_attempt (
      tenant_id text not null,
      delivery_id text not null,
      number int not null,
      attempted_at timestamptz(3) not null,
      http_status int,
      failure text,
      duration_ms int not null,
      primary key (tenant_id, delivery_id, number)
    )`,
  // A URL may be longer than an index entry can be, so the key holds its digest. Its collisions could only mix up two
  // addresses of one tenant, who would have to make them on purpose.
  `create table accounts.webhook_endpoint (
      tenant_id text not null,
      url_digest text not null generated always as (md5(url)) stored,
      url text not null,
      failing_since timestamptz(3) not null,
      marked_failing_at timestamptz(3),
      primary key (tenant_id, url_digest)
    )`,
  // One row per resource with events: up to which sequence events are wanted, up to which their first attempts were
  // made, and who is making them now.
  `create table accounts.webhook_resource (
      tenant_id text not null,
      source text not null,
      resource_id text not null,
      wanted int not null,
      attempted int not null,
      holder text not null,
      leased_until timestamptz(3),
      primary key (tenant_id, source, resource_id)
    )`,
  'create index on accounts.webhook_resource (leased_until) where leased_until is not null',
]
