import { Migration } from '@mikro-orm/migrations'

/** Tenants who want a payer's tax id compared with the document of the verified person. */
export class ComparePayerDocuments extends Migration {
  override up(): void {
    this.addSql('create table payments.payer_document_comparison (tenant_id text primary key)')
  }
}
