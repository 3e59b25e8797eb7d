/** How many deliveries a tenant has had sent again on a day. One row of a tenant: the day before is not looked at any more. */
export const boundReplays = [
  `create table accounts.webhook_replays (
      tenant_id text primary key,
      day date not null,
      count int not null
    )`,
]
