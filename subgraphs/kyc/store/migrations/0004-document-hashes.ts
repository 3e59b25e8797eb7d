import { Migration } from '@mikro-orm/migrations'

/** The document of a verified person as a keyed hash, where the provider shows one; never the number. */
export class HashDocuments extends Migration {
  override up(): void {
    this.addSql('alter table kyc.session add column document_hash text')
  }
}
