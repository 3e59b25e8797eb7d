/** Keeps every secret that signs on, and when an endpoint was switched off. */
export const keepSecretsAndEnds = [
  // The secrets that sign on between the one before the last rotation and the oldest one, the newest first.
  `alter table accounts.integration add column secrets_between jsonb not null default '[]'`,
  `alter table accounts.registered_endpoint add column secrets_between jsonb not null default '[]'`,
  // What was ordered until then is not delivered any more, also where the endpoint is on again.
  'alter table accounts.registered_endpoint add column ended_until timestamptz(3)',
]
