import { Migration } from '@mikro-orm/migrations'

/** Where the payment page of an order's payments sends a payer back to. */
export class AddReturnUrls extends Migration {
  override up(): void {
    this.addSql('alter table orders.payment_order add column success_url text, add column cancel_url text')
  }
}
