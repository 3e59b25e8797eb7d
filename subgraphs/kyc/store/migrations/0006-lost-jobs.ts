import { Migration } from '@mikro-orm/migrations'

/** What it takes to add a lost job again: the session that a callback is about, and the provider's id of one that it is to forget. */
export class FindLostJobs extends Migration {
  override up(): void {
    this.addSql('alter table kyc.provider_event add column session_id text')
    this.addSql('create index on kyc.provider_event (received_at) where processed_at is null')
    this.addSql('create index on kyc.provider_event (received_at) where body_sealed is not null')
    this.addSql('alter table kyc.session add column to_forget text')
    this.addSql('create index on kyc.session (verifier, to_forget) where to_forget is not null')
  }
}
