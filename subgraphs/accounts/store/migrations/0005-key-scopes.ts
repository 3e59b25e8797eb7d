import { Migration } from '@mikro-orm/migrations'

export class NarrowKeys extends Migration {
  override up(): void {
    this.addSql('alter table accounts.api_key add column scopes text[], add column last_used_at timestamptz(3)')
  }
}
