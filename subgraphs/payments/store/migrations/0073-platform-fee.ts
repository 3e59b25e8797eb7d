import { Migration } from '@mikro-orm/migrations'

/** The platform's fee of what a provider shares out by itself, locked with the charge; and what of it goes back with each refund. */
export class AddPlatformFee extends Migration {
  override up(): void {
    this.addSql('alter table payments.charge add column platform_fee text, add column fee_recipient text')
    this.addSql('alter table payments.receipt_return add column platform_fee text')
  }
}
