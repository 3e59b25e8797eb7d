import { Migration } from '@mikro-orm/migrations'

/** Which contract a payment's split address is of; null is the first one. And what a tenant's splits of a day are counted by. */
export class AddSplitVersions extends Migration {
  override up(): void {
    this.addSql('alter table payments.payment add column split_version int')
    this.addSql('create index on payments.payment (tenant_id, id) where split_version is not null')
  }
}
