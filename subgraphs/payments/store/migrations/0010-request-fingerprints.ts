import { Migration } from '@mikro-orm/migrations'

export class AddRequestFingerprints extends Migration {
  override up(): void {
    // Beside the key of the request that charged at once: the same key with another body is another request.
    this.addSql('alter table payments.charge add column request_fingerprint text')
    // A filter of the list, newest first.
    this.addSql('create index on payments.payment (tenant_id, transaction_type, id)')
  }
}
