import { Migration } from '@mikro-orm/migrations'

export class DisableTenants extends Migration {
  override up(): void {
    this.addSql('alter table accounts.tenant add column disabled_at timestamptz(3)')
  }
}
