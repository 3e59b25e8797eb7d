/** Endpoints that tenants register beside the contract's address, and their deliveries. */
export const registerEndpoints = [
  `create table accounts.registered_endpoint (
      tenant_id text not null,
      id text not null,
      url text not null,
      description text,
      event_types text[],
      secret text not null,
      previous_secret text,
      previous_until timestamptz(3),
      is_enabled boolean not null,
      failing_since timestamptz(3),
      marked_failing_at timestamptz(3),
      created_at timestamptz(3) not null,
      primary key (tenant_id, id)
    )`,
  // A delivery to an endpoint has its event's sequence in a column of its own. So the unique key of the deliveries to the
  // contract's address stays as it is: a worker of the release before, which names that key, goes on while this one starts.
  `alter table accounts.webhook_delivery
      alter column sequence drop not null,
      add column endpoint_id text,
      add column endpoint_sequence int,
      add column ended_because text check (ended_because in ('endpoint_deleted', 'endpoint_disabled'))`,
  // Not checked for the rows that are there, which would keep deliveries waiting: they all have a sequence.
  `alter table accounts.webhook_delivery add constraint webhook_delivery_one_sequence
      check (num_nonnulls(endpoint_id, sequence) = 1 and num_nonnulls(endpoint_sequence, sequence) = 1) not valid`,
  `create unique index webhook_delivery_endpoint_event on accounts.webhook_delivery
      (tenant_id, endpoint_id, source, resource_id, endpoint_sequence) where endpoint_id is not null`,
  `create index webhook_delivery_of_endpoint on accounts.webhook_delivery (tenant_id, endpoint_id, id)
      where endpoint_id is not null`,
]
