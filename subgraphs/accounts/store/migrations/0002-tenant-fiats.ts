import { Migration } from '@mikro-orm/migrations'

export class NarrowFiats extends Migration {
  override up(): void {
    this.addSql('alter table accounts.tenant add column fiats text[]')
  }
}
