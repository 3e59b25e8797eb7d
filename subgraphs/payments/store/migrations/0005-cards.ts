import { Migration } from '@mikro-orm/migrations'

export class CreateCards extends Migration {
  override up(): void {
    // Receivers who get fiat from the card processor have no price in crypto.
    this.addSql('alter table payments.charge alter column quote_id drop not null')
    this.addSql('alter table payments.charge add column request_key text')
  }
}
