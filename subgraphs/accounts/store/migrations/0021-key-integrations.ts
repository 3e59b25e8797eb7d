/** Which integration uses a key; null for the tenant's default one. */
export const tieKeysToIntegrations = [
  'alter table accounts.api_key add column public_client_id text',
  `alter table accounts.api_key add foreign key (tenant_id, public_client_id)
      references accounts.integration (tenant_id, public_client_id)`,
]
