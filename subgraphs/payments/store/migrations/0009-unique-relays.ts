import { Migration } from '@mikro-orm/migrations'

export class MakeRelaysUnique extends Migration {
  override up(): void {
    // A payer's transaction pays one payment, whichever tenant's.
    this.addSql('create unique index on payments.relay (chain_name, hash)')
  }
}
