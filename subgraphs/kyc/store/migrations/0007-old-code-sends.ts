import { Migration } from '@mikro-orm/migrations'

/** Serves the removal of what no limit counts any more. */
export class FindOldCodeSends extends Migration {
  override up(): void {
    this.addSql('create index on kyc.email_otp_send (sent_at)')
  }
}
