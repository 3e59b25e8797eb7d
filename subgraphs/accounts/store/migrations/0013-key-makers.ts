/** Who made a key at the console; null for the command line, and for keys of before. */
export const keepKeyMakers = [
  'alter table accounts.api_key add column created_by text',
  'create index on accounts.api_key (tenant_id, created_by) where revoked_at is null',
]
