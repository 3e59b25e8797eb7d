export const narrowKeys = [
  'alter table accounts.api_key add column scopes text[], add column last_used_at timestamptz(3)',
]
