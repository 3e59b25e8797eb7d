/** Which contract a payment's split address is of; null is the first one. And what a tenant's splits of a day are counted by. */
export const addSplitVersions = [
  'alter table payments.payment add column split_version int',
  'create index on payments.payment (tenant_id, id) where split_version is not null',
]
