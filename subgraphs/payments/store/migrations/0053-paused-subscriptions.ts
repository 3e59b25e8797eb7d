/** Subscriptions can be paused; an attempt to charge that comes meanwhile is held until they go on. */
export const pauseSubscriptions = [
  'alter table payments.subscription drop constraint subscription_status_check',
  `alter table payments.subscription add constraint subscription_status_check
      check (status in ('active', 'past_due', 'paused', 'canceled'))`,
  'alter table payments.subscription_period add column held boolean not null default false',
]
