export const tellOfSubscriptions = [
  'alter table accounts.webhook_delivery drop constraint webhook_delivery_source_check',
  `alter table accounts.webhook_delivery add constraint webhook_delivery_source_check
      check (source in ('payments', 'orders', 'kyc', 'subscriptions'))`,
]
