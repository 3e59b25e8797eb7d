/** What operators look tenants up by: how a name begins, in the order of bytes. */
export const searchTenants = [`create index on accounts.tenant ((lower(name) collate "C"), id)`]
