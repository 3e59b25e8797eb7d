import { Migration } from '@mikro-orm/migrations'

/** A payment may bring its subscription's terms itself. */
export class AllowSubscriptionsWithoutOrder extends Migration {
  override up(): void {
    this.addSql('alter table payments.subscription alter column order_code drop not null')
  }
}
