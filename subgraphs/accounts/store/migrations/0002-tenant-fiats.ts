export const narrowFiats = ['alter table accounts.tenant add column fiats text[]']
