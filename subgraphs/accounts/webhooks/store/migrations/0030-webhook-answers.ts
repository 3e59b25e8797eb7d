import { Migration } from '@mikro-orm/migrations'

/** The beginning of what a receiver answered; of attempts before this nothing is known. */
export class KeepAnswers extends Migration {
  override up(): void {
    this.addSql('alter table accounts.webhook_attempt add column response_body text')
  }
}
