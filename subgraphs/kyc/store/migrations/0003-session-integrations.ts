import { Migration } from '@mikro-orm/migrations'

/** Which integration of the tenant a session counts for; null for the default one, as for all of before. */
export class CountByIntegration extends Migration {
  override up(): void {
    this.addSql('alter table kyc.session add column public_client_id text')
  }
}
