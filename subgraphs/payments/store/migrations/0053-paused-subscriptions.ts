import { Migration } from '@mikro-orm/migrations'

/** Subscriptions can be paused; an attempt to charge that comes meanwhile is held until they go on. */
export class PauseSubscriptions extends Migration {
  override up(): void {
    this.addSql('alter table payments.subscription drop constraint subscription_status_check')
    this.addSql(`alter table payments.subscription add constraint subscription_status_check
      check (status in ('active', 'past_due', 'paused', 'canceled'))`)
    this.addSql('alter table payments.subscription_period add column held boolean not null default false')
  }
}
