export const disableTenants = ['alter table accounts.tenant add column disabled_at timestamptz(3)']
