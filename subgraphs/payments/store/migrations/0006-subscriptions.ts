import { Migration } from '@mikro-orm/migrations'

export class CreateSubscriptions extends Migration {
  override up(): void {
    this.addSql('alter table payments.payment add column subscription_config jsonb')
    this.addSql('alter table payments.charge add column card_on_file jsonb')
    this.addSql(`create table payments.subscription (
      tenant_id text not null,
      id text not null,
      order_code text not null,
      first_payment_id text not null,
      means_payment_id text not null,
      plan_name text not null,
      interval text not null check (interval in ('weekly', 'monthly', 'yearly')),
      charge boolean not null,
      retry_count int not null,
      anchor_at timestamptz(3) not null,
      next_period int not null,
      status text not null check (status in ('active', 'past_due', 'canceled')),
      sequence int not null,
      next_payment_at timestamptz(3),
      payment_id text,
      due_at timestamptz(3),
      skipped_periods int not null,
      refusals int not null,
      next_attempt_at timestamptz(3),
      cancel_reason text,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      primary key (tenant_id, id),
      unique (tenant_id, first_payment_id)
    )`)
    // Ids are time-ordered: an order's subscriptions, newest first.
    this.addSql('create index on payments.subscription (tenant_id, order_code, id)')
    this.addSql(`create index on payments.subscription (next_payment_at) where status = 'active'`)
    // A period has one payment, whatever runs twice.
    this.addSql(`create table payments.subscription_period (
      tenant_id text not null,
      subscription_id text not null,
      period int not null,
      payment_id text not null,
      due_at timestamptz(3) not null,
      state text not null check (state in ('open', 'paid', 'failed')),
      attempt int not null,
      refusals int not null,
      technical_failures int not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, subscription_id, period),
      unique (tenant_id, payment_id)
    )`)
    this.addSql(`create table payments.subscription_event (
      tenant_id text not null,
      subscription_id text not null,
      sequence int not null,
      type text not null,
      snapshot jsonb not null,
      created_at timestamptz(3) not null,
      primary key (tenant_id, subscription_id, sequence)
    )`)
  }
}
