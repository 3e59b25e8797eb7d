import { Migration } from '@mikro-orm/migrations'

/** Where the payment page sends a payer back to. */
export class AddReturnUrls extends Migration {
  override up(): void {
    this.addSql('alter table payments.payment add column success_url text, add column cancel_url text')
  }
}
