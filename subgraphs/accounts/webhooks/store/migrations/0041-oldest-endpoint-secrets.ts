/** The secret of an endpoint that signs on beside the one before the last rotation. */
export const keepOldestEndpointSecrets = [
  `alter table accounts.registered_endpoint
      add column oldest_secret text,
      add column oldest_until timestamptz(3)`,
]
