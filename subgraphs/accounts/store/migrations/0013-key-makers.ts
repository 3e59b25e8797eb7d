import { Migration } from '@mikro-orm/migrations'

/** Who made a key at the console; null for the command line, and for keys of before. */
export class KeepKeyMakers extends Migration {
  override up(): void {
    this.addSql('alter table accounts.api_key add column created_by text')
    this.addSql('create index on accounts.api_key (tenant_id, created_by) where revoked_at is null')
  }
}
