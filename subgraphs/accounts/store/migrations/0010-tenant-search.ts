import { Migration } from '@mikro-orm/migrations'

/** What operators look tenants up by: how a name begins, in the order of bytes. */
export class SearchTenants extends Migration {
  override up(): void {
    this.addSql(`create index on accounts.tenant ((lower(name) collate "C"), id)`)
  }
}
