/** What payers of subscriptions are told by e-mail: once for a step of a period, so many of a tenant in an hour. */
export const mailSubscriptions = [
  'alter table payments.subscription add column emails_stopped_at timestamptz(3)',
  `create table payments.subscription_mail (
      tenant_id text not null,
      subscription_id text not null,
      period int not null,
      step int not null,
      reason text not null check (reason in ('due', 'refused')),
      since timestamptz(3) not null,
      planned_at timestamptz(3) not null,
      outcome text check (outcome in ('done', 'dropped')),
      ended_at timestamptz(3),
      primary key (tenant_id, subscription_id, period, step),
      check ((outcome is null) = (ended_at is null))
    )`,
  'create index on payments.subscription_mail (planned_at) where ended_at is null',
  `create table payments.subscription_mail_hour (
      tenant_id text primary key,
      hour_at timestamptz not null,
      taken int not null
    )`,
]
