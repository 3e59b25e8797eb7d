import { Migration } from '@mikro-orm/migrations'

export class TellOfTests extends Migration {
  override up(): void {
    this.addSql('alter table accounts.webhook_delivery drop constraint webhook_delivery_source_check')
    this.addSql(`alter table accounts.webhook_delivery add constraint webhook_delivery_source_check
      check (source in ('payments', 'orders', 'kyc', 'subscriptions', 'refunds', 'tests'))`)
  }
}
